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
import type { VolumeBindingPlan } from "../../decisions/placement/plugin.ts";
import { podInfo } from "../../decisions/placement/objects/pod-info.ts";
import { claimsOfPod } from "../../decisions/volumes/pod-claims.ts";
import type { AssumedVolumes } from "../cache/assumed-volumes.ts";
import type { VolumeBindings } from "./volume-bindings.ts";

export interface BindingDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly log: Logger;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly bindings: Bindings;
  readonly volumes: VolumeBindings;
  readonly assumedVolumes: AssumedVolumes;
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

  /** Assumes a Pod on its node at once, and begins to bind it, or the volumes that it waits for. */
  assume(attempt: SchedulingAttempt, node: string, signal: AbortSignal): void {
    const { cache, queue, bindings, nominated, volumes, assumedVolumes } = this.#deps;
    const { pod } = attempt;
    nominated.delete(pod.metadata.uid);
    const plan = this.#preBind(attempt, node);
    // False when the API server has given the Pod a node meanwhile.
    if (!cache.assume(pod, node)) return queue.done(uidOf(attempt.entry));
    queue.done(uidOf(attempt.entry));
    if (plan === undefined) return bindings.start(() => this.#bind(attempt, node, signal));
    assumedVolumes.assume(pod, node, plan);
    volumes.start(() => this.#bindVolumes(attempt, { node, plan }, signal));
  }

  /** Returns what has to be written before a Pod is bound; most Pods need nothing. */
  #preBind({ pod, profile }: SchedulingAttempt, node: string): VolumeBindingPlan | undefined {
    if (claimsOfPod(pod).length === 0) return undefined;
    const { view } = this.#deps.cache;
    const chosen = view.nodes.find(({ name }) => name === node);
    if (chosen === undefined) return undefined;
    for (const preBind of profile.preBind) {
      const plan = preBind(podInfo(pod), chosen, view);
      if (plan !== undefined) return plan;
    }
    return undefined;
  }

  async #bindVolumes(
    attempt: SchedulingAttempt,
    { node, plan }: { readonly node: string; readonly plan: VolumeBindingPlan },
    signal: AbortSignal,
  ): Promise<void> {
    const { volumes, bindings, queue, log } = this.#deps;
    const { pod } = attempt;
    try {
      await volumes.bind({ pod, node, plan });
    } catch (error) {
      if (volumes.isStopped) return;
      log.debug("could not bind the volumes of a Pod", { pod: keyOf(pod), node, error });
      this.#takeBack(attempt, `running PreBind plugin "VolumeBinding": binding volumes: ${messageOf(error)}`);
      // Others may have them now.
      for (const { volume } of plan.reserved)
        queue.moveOnEvent({ resource: "PersistentVolume", action: "Update", before: volume, after: volume });
      return;
    }
    await bindings.slotAvailable();
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
      return this.#takeBack(attempt, `running Bind plugin "DefaultBinder": ${messageOf(error)}`);
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
  #takeBack(attempt: SchedulingAttempt, message: string): void {
    const { cache, queue, nominated } = this.#deps;
    const gone = cache.forget(attempt.pod.metadata.uid);
    // Before others are tried, so that they do not take the room that was made for this Pod. One that is gone needs
    // none, and no event would end its nomination.
    const waiting = this.#failures.waiting(attempt.pod);
    if (waiting !== undefined) nominated.follow(undefined, waiting);
    if (gone !== undefined) queue.moveOnEvent({ resource: "AssignedPod", action: "Delete", before: gone });
    this.#failures.fail(attempt, { reason: "SchedulerError", message, unschedulablePlugins: new Set() });
  }
}
