import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../api/object.ts";
import { type Placement, placePod } from "../../decisions/placement/place-pod.ts";
import { PlacementWorkspace } from "../../decisions/placement/placement-workspace.ts";
import type { PostFilterResult } from "../../decisions/placement/plugin.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";
import type { Profile } from "../profile.ts";
import { nominationOf } from "../nominated-pods.ts";
import { type QueuedPod, uidOf } from "../queue/queued-pod.ts";
import { describePreemption } from "../../decisions/explain/placement-reason.ts";
import type { PlacementLog } from "../records/placement-log.ts";
import { schedulerNameOf } from "../scheduler-name.ts";
import { BindingCycle, type BindingDependencies } from "./binding-cycle.ts";
import { type SchedulingAttempt, type FailureDependencies, FailureHandler } from "./failure-handler.ts";
import { PlacementMeasurement } from "./measure-placement.ts";
import type { ChosenVictims, Preemption } from "./preemption.ts";
import { failedSchedulingEvent, type SchedulingFailure, scheduleResultOf } from "./schedule-result.ts";

export interface CycleDependencies extends BindingDependencies, FailureDependencies {
  readonly random: Random;
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly preemption: Preemption;
  readonly records: PlacementLog | "none";
}

// upstream: plugin metrics are recorded for one cycle in ten
const detailedEvery = 10;

/**
 * The scheduling cycle. From reading the view of the cluster to assuming the Pod nothing is awaited, so the cluster
 * cannot change in between; the binding runs beside the scheduling of the next Pod.
 */
export class SchedulingCycle {
  readonly #deps: CycleDependencies;
  readonly #failures: FailureHandler;
  readonly #binding: BindingCycle;
  /** By name of the profile. */
  readonly #measurements: ReadonlyMap<string, PlacementMeasurement>;
  readonly #workspace = new PlacementWorkspace();
  /** The index in the ring of nodes at which the next search begins. */
  #start = 0;
  #attempts = 0;

  constructor(deps: CycleDependencies) {
    const { meter, stopwatch, profiles } = deps;
    this.#deps = deps;
    this.#failures = new FailureHandler(deps);
    this.#binding = new BindingCycle(deps, this.#failures);
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

    const attempt: SchedulingAttempt = { entry, pod, profile, startedAt: stopwatch() };
    const placement = this.#place(attempt);
    const result = scheduleResultOf(placement);
    if (result.kind === "placed") {
      this.#record(attempt, placement, undefined);
      this.#binding.assume(attempt, result.node, signal);
      return undefined;
    }
    const { failure } = result;
    return this.#deps.preemption.decide(profile, placement, (room) => {
      this.#record(attempt, placement, room);
      if (room?.kind === "preempts") this.#preempt(attempt, { failure, room }, signal);
      else this.#failures.fail(attempt, this.#withMessage(failure, pod, room));
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

  #place({ pod, profile }: SchedulingAttempt): Placement {
    const { cache, random, nominated } = this.#deps;
    const nominatedNode = this.#nominatedNodeOf(pod);
    const place = (pluginSet: Profile["pluginSet"]) =>
      placePod(pod, cache.view, {
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

  /**
   * Nominates the Pod and deletes the victims. Until the API server has accepted that, the Pod stays in flight: it is not
   * tried again while some victims are marked and others are not, and no event is lost.
   */
  #preempt(
    attempt: SchedulingAttempt,
    { failure, room }: { readonly failure: SchedulingFailure; readonly room: ChosenVictims },
    signal: AbortSignal,
  ): void {
    if (!this.#failures.report(attempt, { ...failure, nominatedNode: room.node })) return;
    this.#deps.nominated.set(attempt.pod, room.node);
    void this.#deleteVictims(attempt, { failure, room }, signal);
  }

  async #deleteVictims(
    attempt: SchedulingAttempt,
    { failure, room }: { readonly failure: SchedulingFailure; readonly room: ChosenVictims },
    signal: AbortSignal,
  ): Promise<void> {
    const { pod, profile } = attempt;
    const isDone = await this.#deps.preemption.carryOut(pod, room, { profile, signal });
    // After an error the Pod only backs off: no event would wake it.
    if (!signal.aborted) this.#failures.requeue(attempt, isDone ? failure.unschedulablePlugins : new Set());
  }

  #record(
    { entry, profile }: SchedulingAttempt,
    placement: Placement,
    room: PostFilterResult | undefined,
  ): void {
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
