import type { Pod } from "../../api/generated/core-v1.ts";
import { isTracked } from "../../api/job-state.ts";
import type { PodBackoff } from "../../decisions/jobs/pod-backoff.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import type { JobDependencies } from "./sync-context.ts";

/** What the controller keeps about its Jobs from one sync to the next; all of it can be lost. */
export interface JobSyncState {
  readonly expectations: Expectations;
  readonly readYourWrites: ReadYourWrites;
  readonly backoffs: Map<string, PodBackoff>;
  readonly released: ReleasedPods;
  /** Forgets a Job that is finished or gone; with a UID, writes are forgotten only if they were for that Job. */
  forget(key: string, uid?: string): void;
}

/** Starts with an empty state. */
export function newJobSyncState(
  deps: Pick<JobDependencies, "clock" | "log" | "jobs" | "pods" | "expectations">,
): JobSyncState {
  const { expectations = new Expectations(deps.clock, deps.log) } = deps;
  const readYourWrites = new ReadYourWrites([deps.jobs, deps.pods]);
  const backoffs = new Map<string, PodBackoff>();
  const released = new ReleasedPods();
  return {
    expectations,
    readYourWrites,
    backoffs,
    released,
    forget(key, uid) {
      expectations.forget(key);
      readYourWrites.forget(key, uid);
      backoffs.delete(key);
      released.forget(key);
    },
  };
}

/** The Pods whose tracking finalizer the controller has removed and the informer still shows, by the key of their Job. */
export class ReleasedPods {
  readonly #uids = new Map<string, Set<string>>();

  add(key: string, uid: string): void {
    const uids = this.#uids.get(key) ?? new Set();
    this.#uids.set(key, uids.add(uid));
  }

  /** Returns their UIDs among a Job's Pods, and forgets all others. */
  among(key: string, pods: readonly Pod[]): ReadonlySet<string> {
    const known = this.#uids.get(key);
    if (known === undefined) return new Set();
    const shown = pods.filter(isTracked).map(({ metadata }) => metadata.uid);
    const left = new Set(shown.filter((uid) => known.has(uid)));
    if (left.size === 0) this.#uids.delete(key);
    else this.#uids.set(key, left);
    return left;
  }

  forget(key: string): void {
    this.#uids.delete(key);
  }
}
