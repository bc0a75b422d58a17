import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import type { Placement } from "../../decisions/placement/place-pod.ts";
import type { FailedAttempt, PostFilterResult } from "../../decisions/placement/plugin.ts";
import { runPostFilter } from "../../decisions/placement/run-post-filter.ts";
import { priorityOf } from "../../decisions/placement/objects/pod-info.ts";
import type { ClusterView } from "../../decisions/placement/view/cluster-view.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { runNowOrInSteps } from "../../machinery/clock/run-in-steps.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";
import type { SchedulerMeter } from "../metrics/scheduler-meter.ts";
import type { NominatedPods } from "../nominated-pods.ts";
import type { Profile } from "../profile.ts";
import { preemptVictims } from "./preempt-victims.ts";
import type { Stopwatch } from "./timed-plugin-set.ts";

export interface PreemptionDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly random: Random;
  readonly log: Logger;
  readonly cluster: ClusterView;
  readonly nominated: NominatedPods;
  readonly budgetsIn: FailedAttempt["budgetsIn"];
  readonly meter: SchedulerMeter;
}

/** The victims that were chosen for a Pod. */
export type ChosenVictims = Extract<PostFilterResult, { readonly kind: "preempts" }>;

/** Makes room for Pods that found no node (PostFilter), beside the scheduling of the next Pod. */
export class Preemption {
  readonly #deps: PreemptionDependencies;
  readonly #running = new Set<Promise<unknown>>();

  constructor(deps: PreemptionDependencies) {
    this.#deps = deps;
  }

  /**
   * Runs PostFilter of the profile for a Pod that no node passed for and hands its result over, `undefined` when there is
   * nothing to run: at once, or after pauses for I/O, which the returned promise waits for.
   */
  decide(
    profile: Profile,
    placement: Placement,
    decided: (result: PostFilterResult | undefined) => void,
  ): Promise<void> | undefined {
    return runNowOrInSteps(this.#search(profile, placement, decided), this.#deps.clock);
  }

  *#search(
    profile: Profile,
    placement: Placement,
    decided: (result: PostFilterResult | undefined) => void,
  ): Generator<void, void, void> {
    const { meter, stopwatch, cluster, nominated, budgetsIn, random } = this.#deps;
    const begin = stopwatch();
    const result = yield* runPostFilter(placement, cluster, {
      postFilter: profile.postFilter,
      pluginSet: profile.pluginSet,
      nominatedPods: nominated.on,
      nominatedNode: nominated.nodeOf(placement.pod.metadata.uid),
      budgetsIn,
      draw: (limit) => randomInt(random, limit),
    });
    if (result !== undefined) {
      meter.preemptionAttempted();
      const status = result.kind === "preempts" ? "Success" : "Unschedulable";
      meter.pointTook("PostFilter", stopwatch() - begin, { profile: profile.name, status });
      if (result.kind === "preempts") meter.victimsChosen(result.victims.length);
    }
    decided(result);
  }

  /** Deletes the victims; resolves to false when that failed, and calls nothing after the signal has aborted. */
  async carryOut(
    pod: Pod,
    { node, victims }: ChosenVictims,
    of: { readonly profile: Profile; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { profile, signal } = of;
    const preemption = {
      pod,
      node,
      victims: victims.map((victim) => victim.pod),
      outranked: this.#outranked(pod, node),
      schedulerName: profile.name,
    };
    const work = this.#delete(preemption, { events: profile.events, signal });
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
    return work;
  }

  async #delete(
    preemption: Parameters<typeof preemptVictims>[0],
    { events, signal }: Pick<Profile, "events"> & { readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { client, clock, log, meter, stopwatch } = this.#deps;
    const begin = stopwatch();
    try {
      await preemptVictims(preemption, { client, clock, events }, signal);
      meter.victimsDeleted("success", stopwatch() - begin);
      return true;
    } catch (error) {
      // Whatever the reason is, the caller requeues the Pod, and the next attempt preempts again.
      meter.victimsDeleted("error", stopwatch() - begin);
      if (!signal.aborted) log.warn("could not preempt Pods", { for: keyOf(preemption.pod), error });
      return false;
    }
  }

  /** Takes the nominations of less important Pods to a node away, and returns those Pods. */
  #outranked(pod: Pod, node: string): readonly Pod[] {
    const { nominated } = this.#deps;
    const lower = nominated.on(node).filter((each) => priorityOf(each.pod) < priorityOf(pod));
    for (const { pod: each } of lower) nominated.delete(each.metadata.uid);
    return lower.map((each) => each.pod);
  }

  /** Resolves when no victims are being deleted. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
