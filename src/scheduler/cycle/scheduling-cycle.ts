import type { Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { type Placement, placePod } from "../../decisions/placement/place-pod.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";
import type { SchedulerCache } from "../cache/scheduler-cache.ts";
import type { SchedulerMeter } from "../metrics/scheduler-meter.ts";
import type { Profile } from "../profile.ts";
import { type QueuedPod, uidOf } from "../queue/queued-pod.ts";
import type { SchedulingQueue } from "../queue/scheduling-queue.ts";
import type { PlacementLog } from "../records/placement-log.ts";
import { schedulerNameOf } from "../scheduler-name.ts";
import type { Bindings } from "./bindings.ts";
import type { FailureReports } from "./failure-reports.ts";
import { measurePlacement } from "./measure-placement.ts";
import { failedSchedulingEvent, scheduledEvent } from "./pod-events.ts";
import type { Stopwatch } from "./timed-plugin-set.ts";
import { type SchedulingFailure, scheduleResultOf } from "./schedule-result.ts";

export interface CycleDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly random: Random;
  readonly log: Logger;
  readonly pods: Informer<Pod>;
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly bindings: Bindings;
  readonly reports: FailureReports;
  readonly records: PlacementLog | "none";
  readonly meter: SchedulerMeter;
}

// upstream: plugin metrics are recorded for one cycle in ten
const detailedEvery = 10;

/** A scheduling attempt of a Pod. */
interface Attempt {
  readonly entry: QueuedPod;
  readonly pod: Pod;
  readonly profile: Profile;
  /** Read from the stopwatch. */
  readonly startedAt: number;
}

/**
 * The scheduling and binding cycles. From reading the snapshot to assuming the Pod nothing is awaited, so the cluster
 * cannot change in between; the binding runs beside the scheduling of the next Pod.
 */
export class SchedulingCycle {
  readonly #deps: CycleDependencies;
  /** The index in the ring of nodes at which the next search begins. */
  #start = 0;
  #attempts = 0;

  constructor(deps: CycleDependencies) {
    this.#deps = deps;
  }

  /** Attempts to schedule a Pod that was popped from the queue. */
  attempt(entry: QueuedPod, signal: AbortSignal): void {
    const { profiles, stopwatch, queue } = this.#deps;
    const { pod } = entry.info;
    const profile = profiles.get(schedulerNameOf(pod));
    if (profile === undefined || this.#isToBeSkipped(pod, profile)) return queue.done(uidOf(entry));

    const attempt: Attempt = { entry, pod, profile, startedAt: stopwatch() };
    const placement = this.#place(attempt);
    const result = scheduleResultOf(placement);
    this.#record(attempt, placement);
    if (result.kind === "failed") this.#fail(attempt, result.failure);
    else this.#assume(attempt, result.node, signal);
  }

  /** Whether a Pod is being deleted or has a node already. */
  #isToBeSkipped(pod: Pod, { events }: Profile): boolean {
    if (this.#deps.cache.has(pod.metadata.uid)) return true;
    if (!isBeingDeleted(pod)) return false;
    events.record(failedSchedulingEvent(pod, `skip schedule deleting pod: ${keyOf(pod)}`));
    return true;
  }

  #place({ pod, profile }: Attempt): Placement {
    const { cache, random, meter, stopwatch } = this.#deps;
    const place = (pluginSet: Profile["pluginSet"]) =>
      placePod(pod, cache.snapshot, {
        pluginSet,
        draw: (limit) => randomInt(random, limit),
        start: this.#start,
        percentageOfNodesToScore: profile.percentageOfNodesToScore,
        ...(pod.status?.nominatedNodeName !== undefined && { nominatedNode: pod.status.nominatedNodeName }),
      });
    const measuring = { meter, stopwatch, profile: profile.name, inDetail: this.#isSampled() };
    const placement = measurePlacement(profile.pluginSet, place, measuring);
    this.#start = placement.nextStart;
    return placement;
  }

  /** True for every tenth attempt. */
  #isSampled(): boolean {
    this.#attempts++;
    return this.#attempts % detailedEvery === 0;
  }

  #assume(attempt: Attempt, node: string, signal: AbortSignal): void {
    const { cache, queue, bindings } = this.#deps;
    // False when the API server has given the Pod a node meanwhile.
    if (!cache.assume(attempt.pod, node)) return queue.done(uidOf(attempt.entry));
    queue.done(uidOf(attempt.entry));
    bindings.start(() => this.#bind(attempt, node, signal));
  }

  async #bind(attempt: Attempt, node: string, signal: AbortSignal): Promise<void> {
    const { client, reports, log, stopwatch, meter } = this.#deps;
    const { pod, profile } = attempt;
    // Without a resourceVersion, which a Pod that was updated meanwhile would not match.
    const { namespace, name, uid } = pod.metadata;
    await reports.settled(uid);
    const begin = stopwatch();
    try {
      await client.bind({ namespace, name }, { uid, target: { kind: "Node", name: node } }, signal);
    } catch (error) {
      meter.pointTook("Bind", stopwatch() - begin, { profile: profile.name, status: "Error" });
      if (signal.aborted) return;
      log.warn("could not bind a Pod", { pod: keyOf(pod), node, error });
      return this.#takeBack(attempt, error);
    }
    meter.pointTook("Bind", stopwatch() - begin, { profile: profile.name, status: "Success" });
    this.#succeed(attempt, node);
  }

  #succeed({ entry, pod, profile, startedAt }: Attempt, node: string): void {
    const { clock, meter, stopwatch } = this.#deps;
    meter.attemptEnded("scheduled", stopwatch() - startedAt, profile.name);
    const waitedMs = clock.now() - (entry.readyAt ?? entry.enqueuedAt);
    meter.podScheduled({ attempts: entry.attempts, durationMs: waitedMs, afterFlush: entry.flushed });
    profile.events.record(scheduledEvent(pod, node));
  }

  /** Forgets the assumed Pod, unless the API server has confirmed the binding after all. */
  #takeBack(attempt: Attempt, error: unknown): void {
    const { cache, queue } = this.#deps;
    const gone = cache.forget(attempt.pod.metadata.uid);
    if (gone !== undefined) queue.moveOnEvent({ resource: "AssignedPod", action: "Delete", before: gone });
    const message = `running Bind plugin "DefaultBinder": ${messageOf(error)}`;
    this.#fail(attempt, { reason: "SchedulerError", message, unschedulablePlugins: new Set() });
  }

  /** Reports why the attempt failed and requeues the Pod, if it still exists and has no node. */
  #fail({ entry, pod, profile, startedAt }: Attempt, failure: SchedulingFailure): void {
    const { pods, queue, reports, meter, stopwatch } = this.#deps;
    const result = failure.reason === "Unschedulable" ? "unschedulable" : "error";
    meter.attemptEnded(result, stopwatch() - startedAt, profile.name);
    const latest = pods.get(keyOf(pod));
    if (latest?.metadata.uid !== pod.metadata.uid || latest.spec.nodeName !== undefined)
      return queue.done(uidOf(entry));
    queue.requeueUnschedulable(entry, latest, failure.unschedulablePlugins);
    reports.report(latest, failure, profile.events);
  }

  #record({ entry, profile }: Attempt, placement: Placement): void {
    const { records, clock } = this.#deps;
    if (records === "none") return;
    records.add({ placement, at: clock.now(), profile: profile.name, attempt: entry.attempts });
  }
}
