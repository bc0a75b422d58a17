import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { SchedulerMeter } from "../metrics/scheduler-meter.ts";
import type { NominatedPods } from "../nominated-pods.ts";
import type { Profile } from "../profile.ts";
import { type QueuedPod, uidOf } from "../queue/queued-pod.ts";
import type { SchedulingQueue } from "../queue/scheduling-queue.ts";
import type { FailureReports } from "./failure-reports.ts";
import type { SchedulingFailure } from "./schedule-result.ts";
import type { Stopwatch } from "./timed-plugin-set.ts";

/** A scheduling attempt of a Pod. */
export interface SchedulingAttempt {
  readonly entry: QueuedPod;
  readonly pod: Pod;
  readonly profile: Profile;
  /** Read from the stopwatch. */
  readonly startedAt: number;
}

export interface FailureDependencies {
  readonly stopwatch: Stopwatch;
  readonly pods: Informer<Pod>;
  readonly queue: SchedulingQueue;
  readonly reports: FailureReports;
  readonly nominated: NominatedPods;
  readonly meter: SchedulerMeter;
}

/** Ends attempts that failed (upstream: the failure handler): says why, and puts the Pod back into the queue. */
export class FailureHandler {
  readonly #deps: FailureDependencies;

  constructor(deps: FailureDependencies) {
    this.#deps = deps;
  }

  /** Reports why the attempt failed and requeues the Pod, if it still exists and has no node. */
  fail(attempt: SchedulingAttempt, failure: SchedulingFailure): void {
    if (this.report(attempt, failure)) this.requeue(attempt, failure.unschedulablePlugins);
  }

  /** Reports why the attempt failed; false when the Pod is gone or has a node, and the attempt is over. */
  report({ entry, pod, profile, startedAt }: SchedulingAttempt, failure: SchedulingFailure): boolean {
    const { reports, meter, stopwatch, nominated, queue } = this.#deps;
    const result = failure.reason === "Unschedulable" ? "unschedulable" : "error";
    meter.attemptEnded(result, stopwatch() - startedAt, profile.name);
    const latest = this.waiting(pod);
    if (latest === undefined) {
      queue.done(uidOf(entry));
      return false;
    }
    if (failure.nominatedNode === null) nominated.delete(pod.metadata.uid);
    reports.report(latest, failure, profile.events);
    return true;
  }

  /** Puts the Pod back into the queue, unless it is gone or has a node. */
  requeue({ entry, pod }: SchedulingAttempt, rejectedBy: ReadonlySet<string>): void {
    const { queue } = this.#deps;
    const latest = this.waiting(pod);
    if (latest === undefined) queue.done(uidOf(entry));
    else queue.requeueUnschedulable(entry, latest, rejectedBy);
  }

  /** The Pod as the API server has it, while it waits for a node. */
  waiting(pod: Pod): Pod | undefined {
    const latest = this.#deps.pods.get(keyOf(pod));
    return latest?.metadata.uid === pod.metadata.uid && latest.spec.nodeName === undefined
      ? latest
      : undefined;
  }
}
