import type { Pod } from "../../api/generated/core-v1.ts";
import { isReady, isTerminal, isTerminating } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";

/** The state of a Pod that has not ended; a Pod is in exactly one. */
export type TalliedPodState = "pending" | "notReady" | "ready" | "terminating";

export const talliedPodStates: readonly TalliedPodState[] = ["pending", "notReady", "ready", "terminating"];

/** The state of a Pod; `undefined` when it has ended. */
export function talliedPodStateOf(pod: Pod): TalliedPodState | undefined {
  if (isTerminal(pod)) return undefined;
  if (isTerminating(pod)) return "terminating";
  if (isReady(pod)) return "ready";
  return pod.status?.phase === "Running" ? "notReady" : "pending";
}

/** What one Pod adds to a tally. */
export interface PodShare {
  readonly state: TalliedPodState;
  readonly isScheduled: boolean;
  /** The domain of its node by each topology key that is followed. */
  readonly domains: ReadonlyMap<string, string>;
}

/** Counts a set of Pods by state and domain, as they change. */
export class PodTally {
  readonly counts: Record<TalliedPodState, number> = { pending: 0, notReady: 0, ready: 0, terminating: 0 };
  unscheduled = 0;
  /** Pods whose deletion has begun, and those of them that were busy. */
  removed = 0;
  busyRemoved = 0;
  /** The most Pods, and terminating ones, since `resetPeaks`. */
  peakPods = 0;
  peakTerminating = 0;
  /** The largest number of Pods so far, and when it was first reached. */
  mostPods = 0;
  mostPodsAt: Instant;
  mostTerminating = 0;
  /** The smallest number of ready Pods so far, and when it was first reached. */
  lowestReady = 0;
  lowestReadyAt: Instant;
  /** Active Pods by domain, by topology key. */
  readonly #domains = new Map<string, Map<string, number>>();
  #podMs = 0;
  #countedAt: Instant;

  constructor(now: Instant) {
    this.#countedAt = now;
    this.mostPodsAt = now;
    this.lowestReadyAt = now;
  }

  /** Pods that have not ended, terminating ones included. */
  get pods(): number {
    return this.active + this.counts.terminating;
  }

  get active(): number {
    const { pending, notReady, ready } = this.counts;
    return pending + notReady + ready;
  }

  add(share: PodShare, now: Instant): void {
    this.#count(share, 1, now);
    this.peakPods = Math.max(this.peakPods, this.pods);
    this.peakTerminating = Math.max(this.peakTerminating, this.counts.terminating);
    this.mostTerminating = Math.max(this.mostTerminating, this.counts.terminating);
  }

  subtract(share: PodShare, now: Instant): void {
    this.#count(share, -1, now);
  }

  /** Must be called after a Pod was changed, not between `subtract` and `add`, whose counts never existed in the cluster. */
  noteExtremes(now: Instant): void {
    if (this.pods > this.mostPods) [this.mostPods, this.mostPodsAt] = [this.pods, now];
    const { ready } = this.counts;
    if (ready < this.lowestReady) [this.lowestReady, this.lowestReadyAt] = [ready, now];
  }

  /** Restarts the extremes from the current counts. */
  restartExtremes(now: Instant): void {
    [this.mostPods, this.mostPodsAt] = [this.pods, now];
    [this.lowestReady, this.lowestReadyAt] = [this.counts.ready, now];
  }

  resetPeaks(): void {
    this.peakPods = this.pods;
    this.peakTerminating = this.counts.terminating;
  }

  /** Returns the total lifetime of all Pods, in milliseconds. */
  podMs(now: Instant): number {
    return this.#podMs + this.pods * (now - this.#countedAt);
  }

  /** The active Pods of a domain. */
  inDomain(key: string, domain: string): number {
    return this.#domains.get(key)?.get(domain) ?? 0;
  }

  /** How many more active Pods the fullest of some domains has than the emptiest. */
  skew(key: string, domains: Iterable<string>): number {
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (const domain of domains) {
      const count = this.inDomain(key, domain);
      least = Math.min(least, count);
      most = Math.max(most, count);
    }
    return least > most ? 0 : most - least;
  }

  #count({ state, isScheduled, domains }: PodShare, by: 1 | -1, now: Instant): void {
    this.#podMs = this.podMs(now);
    this.#countedAt = now;
    this.counts[state] += by;
    if (state === "terminating") return;
    if (!isScheduled) this.unscheduled += by;
    for (const [key, domain] of domains) {
      const counts = this.#domains.get(key) ?? new Map<string, number>();
      this.#domains.set(key, counts);
      counts.set(domain, (counts.get(domain) ?? 0) + by);
    }
  }
}
