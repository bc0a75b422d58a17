import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import type { Placement } from "../../decisions/placement/place-pod.ts";
import type { FailedAttempt, PostFilterResult, RefusedNode } from "../../decisions/placement/plugin.ts";
import { podInfo, type PodInfo } from "../../decisions/placement/snapshot/pod-info.ts";
import { priorityOf } from "../../decisions/placement/snapshot/priority.ts";
import type { Snapshot } from "../../decisions/placement/snapshot/snapshot.ts";
import { podsAhead, tryNode } from "../../decisions/placement/try-node.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
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
  readonly snapshot: Snapshot;
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

  /** Runs PostFilter of the profile for a Pod that no node passed for; `undefined` when there is nothing to run. */
  decide(profile: Profile, placement: Placement): PostFilterResult | undefined {
    const { meter, stopwatch, snapshot } = this.#deps;
    const refused = refusedNodes(placement, snapshot);
    if (profile.postFilter === undefined || refused === undefined) return undefined;
    meter.preemptionAttempted();
    const begin = stopwatch();
    const pod = podInfo(placement.pod);
    const result = profile.postFilter(pod, snapshot, this.#attempt(pod, refused, profile));
    const status = result.kind === "preempts" ? "Success" : "Unschedulable";
    meter.pointTook("PostFilter", stopwatch() - begin, { profile: profile.name, status });
    if (result.kind === "preempts") meter.victimsChosen(result.victims.length);
    return result;
  }

  #attempt(pod: PodInfo, refused: readonly RefusedNode[], { pluginSet }: Profile): FailedAttempt {
    const { nominated, snapshot, budgetsIn, random } = this.#deps;
    return {
      refused,
      budgetsIn,
      nominatedNode: nominated.nodeOf(pod.pod.metadata.uid),
      draw: (limit) => randomInt(random, limit),
      tryNode(node, change) {
        const ahead = podsAhead(pod, nominated.on(node.name));
        const beside =
          ahead.length === 0 ? undefined : { ...change, with: [...(change.with ?? []), ...ahead] };
        // A nominated Pod may never arrive, and what only fits thanks to it must not count on it.
        return (
          (beside && tryNode({ pod, node, change: beside }, snapshot, pluginSet)) ??
          tryNode({ pod, node, change }, snapshot, pluginSet)
        );
      },
    };
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

/** The rejection of every node; `undefined` where PostFilter has nothing to do. */
function refusedNodes(
  { outcome, refused }: Placement,
  { nodes }: Snapshot,
): readonly RefusedNode[] | undefined {
  switch (outcome.kind) {
    case "unfit":
      return refused;
    case "refused":
      return nodes.map(({ name }) => ({ node: name, rejection: outcome.rejection }));
    case "placed":
    case "no-nodes":
    case "failed":
      return undefined;
  }
}
