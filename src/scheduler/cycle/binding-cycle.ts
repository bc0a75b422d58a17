import { messageOf } from "../../api/message-of.ts";
import { keyOf } from "../../api/object.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { SchedulerCache } from "../cache/scheduler-cache.ts";
import type { SchedulerMeter } from "../metrics/scheduler-meter.ts";
import type { NominatedPods } from "../nominated-pods.ts";
import { uidOf } from "../queue/queued-pod.ts";
import type { SchedulingQueue } from "../queue/scheduling-queue.ts";
import type { Bindings } from "./bindings.ts";
import type { SchedulingAttempt, FailureHandler } from "./failure-handler.ts";
import type { FailureReports } from "./failure-reports.ts";
import { scheduledEvent } from "./schedule-result.ts";
import type { Stopwatch } from "./timed-plugin-set.ts";

export interface BindingDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly log: Logger;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly bindings: Bindings;
  readonly reports: FailureReports;
  readonly nominated: NominatedPods;
  readonly meter: SchedulerMeter;
}

/** The binding cycle: assumes Pods on their nodes and binds them, beside the scheduling of the next Pod. */
export class BindingCycle {
  readonly #deps: BindingDependencies;
  readonly #failures: FailureHandler;

  constructor(deps: BindingDependencies, failures: FailureHandler) {
    this.#deps = deps;
    this.#failures = failures;
  }

  /** Assumes a Pod on its node at once, and begins to bind it. */
  assume(attempt: SchedulingAttempt, node: string, signal: AbortSignal): void {
    const { cache, queue, bindings, nominated } = this.#deps;
    nominated.delete(attempt.pod.metadata.uid);
    // False when the API server has given the Pod a node meanwhile.
    if (!cache.assume(attempt.pod, node)) return queue.done(uidOf(attempt.entry));
    queue.done(uidOf(attempt.entry));
    bindings.start(() => this.#bind(attempt, node, signal));
  }

  async #bind(attempt: SchedulingAttempt, node: string, signal: AbortSignal): Promise<void> {
    const { client, reports, log, stopwatch, meter } = this.#deps;
    const { pod, profile } = attempt;
    // Without a resourceVersion, which a Pod that was updated meanwhile would not match.
    const { namespace, name, uid } = pod.metadata;
    await reports.settled(uid);
    const begin = stopwatch();
    try {
      await client.bind({ namespace, name }, { uid, target: { kind: "Node", name: node } }, signal);
    } catch (error) {
      // Whatever the reason is, the Pod is not bound and goes back into the queue.
      meter.pointTook("Bind", stopwatch() - begin, { profile: profile.name, status: "Error" });
      if (signal.aborted) return;
      log.warn("could not bind a Pod", { pod: keyOf(pod), node, error });
      return this.#takeBack(attempt, error);
    }
    meter.pointTook("Bind", stopwatch() - begin, { profile: profile.name, status: "Success" });
    this.#succeed(attempt, node);
  }

  #succeed({ entry, pod, profile, startedAt }: SchedulingAttempt, node: string): void {
    const { clock, meter, stopwatch } = this.#deps;
    meter.attemptEnded("scheduled", stopwatch() - startedAt, profile.name);
    const waitedMs = clock.now() - (entry.readyAt ?? entry.enqueuedAt);
    meter.podScheduled({ attempts: entry.attempts, durationMs: waitedMs, afterFlush: entry.flushed });
    profile.events.record(scheduledEvent(pod, node));
  }

  /** Forgets the assumed Pod, unless the API server has confirmed the binding after all. */
  #takeBack(attempt: SchedulingAttempt, error: unknown): void {
    const { cache, queue, nominated } = this.#deps;
    const gone = cache.forget(attempt.pod.metadata.uid);
    // Before others are tried, so that they do not take the room that was made for this Pod. One that is gone needs
    // none, and no event would end its nomination.
    const waiting = this.#failures.waiting(attempt.pod);
    if (waiting !== undefined) nominated.follow(undefined, waiting);
    if (gone !== undefined) queue.moveOnEvent({ resource: "AssignedPod", action: "Delete", before: gone });
    const message = `running Bind plugin "DefaultBinder": ${messageOf(error)}`;
    this.#failures.fail(attempt, { reason: "SchedulerError", message, unschedulablePlugins: new Set() });
  }
}
