import type { Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { type Placement, placePod } from "../../decisions/placement/place-pod.ts";
import { PlacementWorkspace } from "../../decisions/placement/placement-workspace.ts";
import type { PostFilterResult } from "../../decisions/placement/plugin.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";
import type { SchedulerCache } from "../cache/scheduler-cache.ts";
import type { SchedulerMeter } from "../metrics/scheduler-meter.ts";
import type { Profile } from "../profile.ts";
import { type NominatedPods, nominationOf } from "../nominated-pods.ts";
import { type QueuedPod, uidOf } from "../queue/queued-pod.ts";
import type { SchedulingQueue } from "../queue/scheduling-queue.ts";
import { describePreemption } from "../../decisions/explain/preemption-reason.ts";
import type { PlacementLog } from "../records/placement-log.ts";
import { schedulerNameOf } from "../scheduler-name.ts";
import type { Bindings } from "./bindings.ts";
import type { FailureReports } from "./failure-reports.ts";
import { PlacementMeasurement } from "./measure-placement.ts";
import type { ChosenVictims, Preemption } from "./preemption.ts";
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
  readonly nominated: NominatedPods;
  readonly preemption: Preemption;
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
  /** By name of the profile. */
  readonly #measurements: ReadonlyMap<string, PlacementMeasurement>;
  readonly #workspace = new PlacementWorkspace();
  /** The index in the ring of nodes at which the next search begins. */
  #start = 0;
  #attempts = 0;

  constructor(deps: CycleDependencies) {
    const { meter, stopwatch, profiles } = deps;
    this.#deps = deps;
    this.#measurements = new Map(
      [...profiles].map(([profile, { pluginSet }]) => [
        profile,
        new PlacementMeasurement(pluginSet, { meter, stopwatch, profile }),
      ]),
    );
  }

  /** Attempts to schedule a Pod that was popped from the queue; the next attempt has to wait for a promise it returns. */
  attempt(entry: QueuedPod, signal: AbortSignal): Promise<void> | undefined {
    const { profiles, stopwatch, queue } = this.#deps;
    const { pod } = entry.info;
    const profile = profiles.get(schedulerNameOf(pod));
    if (profile === undefined || this.#isToBeSkipped(pod, profile)) {
      queue.done(uidOf(entry));
      return undefined;
    }

    const attempt: Attempt = { entry, pod, profile, startedAt: stopwatch() };
    const placement = this.#place(attempt);
    const result = scheduleResultOf(placement);
    if (result.kind === "placed") {
      this.#record(attempt, placement, undefined);
      this.#assume(attempt, result.node, signal);
      return undefined;
    }
    const { failure } = result;
    return this.#deps.preemption.decide(profile, placement, (room) => {
      this.#record(attempt, placement, room);
      if (room?.kind === "preempts") this.#preempt(attempt, { failure, room }, signal);
      else this.#fail(attempt, this.#withMessage(failure, pod, room));
    });
  }

  /** The failure with what PostFilter says; a Pod for which nothing can be done loses its nomination. */
  #withMessage(failure: SchedulingFailure, pod: Pod, room: PostFilterResult | undefined): SchedulingFailure {
    if (room === undefined || room.kind === "preempts") return failure;
    const message = `${failure.message} ${room.message}`;
    const isNominated = this.#nominatedNodeOf(pod) !== undefined;
    return { ...failure, message, ...(room.kind === "gives-up" && isNominated && { nominatedNode: null }) };
  }

  #nominatedNodeOf(pod: Pod): string | undefined {
    return this.#deps.nominated.nodeOf(pod.metadata.uid) ?? (nominationOf(pod) || undefined);
  }

  /** Whether a Pod is being deleted or has a node already. */
  #isToBeSkipped(pod: Pod, { events }: Profile): boolean {
    if (this.#deps.cache.has(pod.metadata.uid)) return true;
    if (!isBeingDeleted(pod)) return false;
    events.record(failedSchedulingEvent(pod, `skip schedule deleting pod: ${keyOf(pod)}`));
    return true;
  }

  #place({ pod, profile }: Attempt): Placement {
    const { cache, random, nominated } = this.#deps;
    const nominatedNode = this.#nominatedNodeOf(pod);
    const place = (pluginSet: Profile["pluginSet"]) =>
      placePod(pod, cache.snapshot, {
        pluginSet,
        draw: (limit) => randomInt(random, limit),
        start: this.#start,
        percentageOfNodesToScore: profile.percentageOfNodesToScore,
        workspace: this.#workspace,
        ...(!nominated.isEmpty && { nominatedPods: nominated.on }),
        ...(nominatedNode !== undefined && { nominatedNode }),
      });
    const measurement = this.#measurements.get(profile.name);
    const detail = this.#isSampled() ? "plugins" : "points";
    const placement = measurement?.measure(place, detail) ?? place(profile.pluginSet);
    this.#start = placement.nextStart;
    return placement;
  }

  /** True for every tenth attempt. */
  #isSampled(): boolean {
    this.#attempts++;
    return this.#attempts % detailedEvery === 0;
  }

  #assume(attempt: Attempt, node: string, signal: AbortSignal): void {
    const { cache, queue, bindings, nominated } = this.#deps;
    nominated.delete(attempt.pod.metadata.uid);
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
    const { cache, queue, nominated } = this.#deps;
    const gone = cache.forget(attempt.pod.metadata.uid);
    // Before others are tried, so that they do not take the room that was made for this Pod. One that is gone needs
    // none, and no event would end its nomination.
    const waiting = this.#waiting(attempt.pod);
    if (waiting !== undefined) nominated.follow(undefined, waiting);
    if (gone !== undefined) queue.moveOnEvent({ resource: "AssignedPod", action: "Delete", before: gone });
    const message = `running Bind plugin "DefaultBinder": ${messageOf(error)}`;
    this.#fail(attempt, { reason: "SchedulerError", message, unschedulablePlugins: new Set() });
  }

  /** Reports why the attempt failed and requeues the Pod, if it still exists and has no node. */
  #fail(attempt: Attempt, failure: SchedulingFailure): void {
    if (this.#report(attempt, failure)) this.#requeue(attempt, failure.unschedulablePlugins);
  }

  /**
   * Nominates the Pod and deletes the victims. Until the API server has accepted that, the Pod stays in flight: it is not
   * tried again while some victims are marked and others are not, and no event is lost.
   */
  #preempt(
    attempt: Attempt,
    { failure, room }: { readonly failure: SchedulingFailure; readonly room: ChosenVictims },
    signal: AbortSignal,
  ): void {
    if (!this.#report(attempt, { ...failure, nominatedNode: room.node })) return;
    this.#deps.nominated.set(attempt.pod, room.node);
    void this.#deleteVictims(attempt, { failure, room }, signal);
  }

  async #deleteVictims(
    attempt: Attempt,
    { failure, room }: { readonly failure: SchedulingFailure; readonly room: ChosenVictims },
    signal: AbortSignal,
  ): Promise<void> {
    const { pod, profile } = attempt;
    const isDone = await this.#deps.preemption.carryOut(pod, room, { profile, signal });
    // After an error the Pod only backs off: no event would wake it.
    if (!signal.aborted) this.#requeue(attempt, isDone ? failure.unschedulablePlugins : new Set());
  }

  /** Reports why the attempt failed; false when the Pod is gone or has a node, and the attempt is over. */
  #report({ entry, pod, profile, startedAt }: Attempt, failure: SchedulingFailure): boolean {
    const { reports, meter, stopwatch, nominated, queue } = this.#deps;
    const result = failure.reason === "Unschedulable" ? "unschedulable" : "error";
    meter.attemptEnded(result, stopwatch() - startedAt, profile.name);
    const latest = this.#waiting(pod);
    if (latest === undefined) {
      queue.done(uidOf(entry));
      return false;
    }
    if (failure.nominatedNode === null) nominated.delete(pod.metadata.uid);
    reports.report(latest, failure, profile.events);
    return true;
  }

  #requeue({ entry, pod }: Attempt, rejectedBy: ReadonlySet<string>): void {
    const { queue } = this.#deps;
    const latest = this.#waiting(pod);
    if (latest === undefined) queue.done(uidOf(entry));
    else queue.requeueUnschedulable(entry, latest, rejectedBy);
  }

  /** The Pod as the API server has it, while it waits for a node. */
  #waiting(pod: Pod): Pod | undefined {
    const latest = this.#deps.pods.get(keyOf(pod));
    return latest?.metadata.uid === pod.metadata.uid && latest.spec.nodeName === undefined
      ? latest
      : undefined;
  }

  #record({ entry, profile }: Attempt, placement: Placement, room: PostFilterResult | undefined): void {
    const { records, clock } = this.#deps;
    if (records === "none") return;
    const preemption = room && { preemption: describePreemption(room) };
    records.add({
      placement,
      at: clock.now(),
      profile: profile.name,
      attempt: entry.attempts,
      ...preemption,
    });
  }
}
