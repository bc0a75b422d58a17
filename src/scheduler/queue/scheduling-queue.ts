import { extended } from "../../api/extended.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { podInfo, type PodInfo } from "../../decisions/placement/objects/pod-info.ts";
import type { ClusterView } from "../../decisions/placement/view/cluster-view.ts";
import type { Clock, Timer } from "../../machinery/clock/clock.ts";
import { type BackOff, backOffEnd, isBackingOff } from "./back-off.ts";
import { type ClusterEvent, eventName, type QueueingHints } from "../../decisions/placement/cluster-event.ts";
import { isWorthRequeuing } from "./event-index.ts";
import { InFlightEvents } from "./in-flight-events.ts";
import { podUpdateActions } from "./update-actions.ts";
import { type QueueMeter, type QueuedPod, uidOf } from "./queued-pod.ts";
import { type SubQueue, WaitingPods } from "./waiting-pods.ts";

export interface QueueOptions {
  readonly clock: Clock;
  readonly backOff: BackOff;
  /** The plugin whose PreEnqueue rejects a Pod, if one does. */
  readonly gatedBy: (pod: PodInfo) => string | undefined;
  /** The hints of a Pod's profile, by plugin. */
  readonly hintsFor: (pod: PodInfo) => ReadonlyMap<string, QueueingHints>;
  readonly cluster: ClusterView;
  readonly meter: QueueMeter;
}

const noPlugins: ReadonlySet<string> = new Set();
// upstream: flushUnschedulablePodsLeftover
const flushEveryMs = 30_000;
const maxUnschedulableMs = 5 * 60_000;

/** The Pods that wait for a node, in the order in which they are tried. */
export class SchedulingQueue {
  readonly #options: QueueOptions;
  readonly #waiting: WaitingPods;
  readonly #inFlight: InFlightEvents;
  readonly #startedAt: Instant;
  readonly #backOffWakeUp: WakeUp;
  readonly #flushWakeUp: WakeUp;
  #sequence = 0;
  #wake: (() => void) | undefined;

  constructor(options: QueueOptions) {
    const { clock, backOff, meter } = options;
    this.#options = options;
    this.#waiting = new WaitingPods(backOff, options);
    this.#startedAt = clock.now();
    this.#backOffWakeUp = new WakeUp(
      clock,
      () => this.#backOffEndsAt(),
      () => this.#endBackOff(),
    );
    this.#flushWakeUp = new WakeUp(
      clock,
      () => this.#flushAt(),
      () => this.#flush(),
    );
    this.#inFlight = new InFlightEvents((event, by) => meter.inFlight(event, by));
    meter.follow((subQueue) => this.#waiting.count(subQueue));
  }

  /** Adds a Pod that has no node yet; a Pod that is queued already is updated. */
  add(pod: Pod): void {
    const known = this.#waiting.get(pod.metadata.uid);
    if (known !== undefined) return this.update(known.info.pod, pod);
    const entry: QueuedPod = {
      info: podInfo(pod),
      enqueuedAt: this.#options.clock.now(),
      sequence: this.#sequence++,
      attempts: 0,
      unschedulableCount: 0,
      consecutiveErrors: 0,
      unschedulablePlugins: noPlugins,
      flushed: false,
    };
    this.#enqueue(entry, "UnscheduledPodAdd");
  }

  /** Updates a waiting Pod, and requeues it when the update may make it schedulable. */
  update(before: Pod, after: Pod): void {
    const { uid } = after.metadata;
    const events = podUpdateActions(before, after).map((action): ClusterEvent => ({
      resource: "UnscheduledPod",
      action,
      before,
      after,
    }));
    if (this.#inFlight.has(uid)) return events.forEach((event) => this.#inFlight.record(event));
    const subQueue = this.#waiting.subQueueOf(uid);
    const known = this.#waiting.get(uid);
    if (known === undefined || subQueue === undefined) return this.add(after);
    const entry: QueuedPod = { ...known, info: podInfo(after) };
    const isWaitingForEvent = subQueue === "unschedulable" || subQueue === "gated";
    const helpful = isWaitingForEvent
      ? events.find((event) => this.#isWorthRequeuing(entry, event))
      : undefined;
    if (helpful === undefined) this.#waiting.put(entry, subQueue);
    else this.#enqueue(entry, eventName(helpful));
  }

  /** Removes a Pod that was deleted or got a node. */
  delete(uid: string): void {
    const entry = this.#waiting.remove(uid);
    if (entry !== undefined) this.#options.meter.rejectionCleared(entry);
    this.#setWakeUps();
  }

  /** Removes and returns the next Pod, if there is one; it is in flight until `done` or `requeueUnschedulable`. */
  pop(): QueuedPod | undefined {
    const entry = this.#waiting.takeNext();
    if (entry === undefined) return undefined;
    this.#options.meter.rejectionCleared(entry);
    this.#inFlight.begin(uidOf(entry));
    this.#setWakeUps();
    return { ...entry, attempts: entry.attempts + 1, unschedulablePlugins: noPlugins };
  }

  /** Resolves when there may be a Pod to pop. */
  async available(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Ends the attempt of a Pod that is not requeued. */
  done(uid: string): void {
    this.#inFlight.end(uid);
  }

  /**
   * Requeues a Pod after a failed attempt (upstream: AddUnschedulableIfNotPresent). One that plugins rejected waits for
   * an event that one of them is interested in, which may have happened during the attempt; after an error it only
   * backs off.
   */
  requeueUnschedulable(attempt: QueuedPod, pod: Pod, rejectedBy: ReadonlySet<string>): void {
    const missed = this.#inFlight.end(uidOf(attempt));
    if (this.#waiting.get(pod.metadata.uid) !== undefined) return; // an event handler has added it already
    const isError = rejectedBy.size === 0;
    const entry: QueuedPod = {
      ...attempt,
      info: podInfo(pod),
      enqueuedAt: this.#options.clock.now(),
      unschedulableCount: attempt.unschedulableCount + Number(!isError),
      consecutiveErrors: isError ? attempt.consecutiveErrors + 1 : 0,
      unschedulablePlugins: rejectedBy,
      flushed: false,
    };
    this.#options.meter.rejected(entry);
    const isWorthTrying = isError || missed.some((event) => this.#isWorthRequeuing(entry, event));
    if (isWorthTrying) this.#enqueue(entry, "ScheduleAttemptFailure");
    else this.#put(entry, "unschedulable", "ScheduleAttemptFailure");
  }

  /** Requeues every waiting Pod that an event may make schedulable (upstream: MoveAllToActiveOrBackoffQueue). */
  moveOnEvent(event: ClusterEvent): void {
    this.#inFlight.record(event);
    for (const entry of this.#waiting.helpedBy(event)) this.#enqueue(entry, eventName(event));
  }

  /** Stops all timers and resolves a pending `available`. */
  stop(): void {
    this.#backOffWakeUp.stop();
    this.#flushWakeUp.stop();
    this.#wake?.();
  }

  #isWorthRequeuing(entry: QueuedPod, event: ClusterEvent): boolean {
    const { hintsFor, cluster } = this.#options;
    return isWorthRequeuing(entry, event, { hints: hintsFor(entry.info), cluster });
  }

  /** Puts a Pod into the active queue or, while it backs off, into a back-off queue, unless a plugin gates it. */
  #enqueue(entry: QueuedPod, event: string): void {
    const { clock, backOff, gatedBy } = this.#options;
    const gate = gatedBy(entry.info);
    if (gate !== undefined) return this.#gate(entry, gate, event);
    if (isBackingOff(entry, backOff, clock.now()))
      this.#put(entry, entry.unschedulablePlugins.size === 0 ? "error-backoff" : "backoff", event);
    else this.#put(extended(entry, { readyAt: entry.readyAt ?? clock.now() }), "active", event);
    this.#wake?.();
  }

  #gate(entry: QueuedPod, plugin: string, event: string): void {
    const { meter } = this.#options;
    const gated: QueuedPod = { ...entry, unschedulablePlugins: new Set([plugin]) };
    meter.rejectionCleared(entry);
    meter.rejected(gated);
    this.#put(gated, "gated", event);
  }

  #put(entry: QueuedPod, subQueue: SubQueue, event: string): void {
    this.#waiting.put(entry, subQueue);
    this.#options.meter.entered(subQueue, event);
    this.#setWakeUps();
  }

  #setWakeUps(): void {
    this.#backOffWakeUp.set();
    this.#flushWakeUp.set();
  }

  #backOffEndsAt(): Instant | undefined {
    const expiry = this.#waiting.nextExpiry();
    return expiry === undefined ? undefined : backOffEnd(expiry);
  }

  #endBackOff(): void {
    for (const entry of this.#waiting.takeExpired(this.#options.clock.now()))
      this.#enqueue(entry, "BackoffComplete");
  }

  /** The first of the regular rounds that finds a Pod that has waited too long. */
  #flushAt(): Instant | undefined {
    const first = this.#waiting.firstUnschedulable();
    if (first === undefined) return undefined;
    const rounds = Math.floor((first.enqueuedAt + maxUnschedulableMs - this.#startedAt) / flushEveryMs) + 1;
    return this.#startedAt + rounds * flushEveryMs;
  }

  #flush(): void {
    const dueSince = this.#options.clock.now() - maxUnschedulableMs;
    for (const entry of this.#waiting.unschedulable()) {
      if (entry.enqueuedAt < dueSince) this.#enqueue({ ...entry, flushed: true }, "UnschedulableTimeout");
    }
  }
}

/** Runs a task at the instant that a function returns, and asks for the next instant after each run. */
class WakeUp {
  readonly #clock: Clock;
  readonly #nextAt: () => Instant | undefined;
  readonly #task: () => void;
  #armed: { readonly at: Instant; readonly timer: Timer } | undefined;
  #stopped = false;

  constructor(clock: Clock, nextAt: () => Instant | undefined, task: () => void) {
    this.#clock = clock;
    this.#nextAt = nextAt;
    this.#task = task;
  }

  /** Has to be called whenever the next instant may have changed. */
  set(): void {
    const at = this.#stopped ? undefined : this.#nextAt();
    if (at === this.#armed?.at) return;
    this.#armed?.timer.cancel();
    this.#armed = at === undefined ? undefined : { at, timer: this.#arm(at) };
  }

  stop(): void {
    this.#stopped = true;
    this.set();
  }

  #arm(at: Instant): Timer {
    return this.#clock.after(at - this.#clock.now(), () => {
      this.#armed = undefined;
      this.#task();
      this.set();
    });
  }
}
