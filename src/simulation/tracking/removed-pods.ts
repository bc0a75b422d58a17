import { findCondition } from "../../api/conditions.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { Instant } from "../../api/time.ts";
import type { BusyPods } from "./busy-pods.ts";
import type { ClusterTracker, PodChange } from "./cluster-tracker.ts";
import type { DecisionJournal, RemovalText } from "./decision-journal.ts";

/** Why the deletion of a Pod has begun. */
export type RemovalCause =
  | { readonly kind: "decision"; readonly decision: RemovalText }
  /** By its condition DisruptionTarget. */
  | { readonly kind: "disruption"; readonly reason: string }
  /** What the scenario did at that moment. */
  | { readonly kind: "event" }
  /** None of these: its owner or its node is gone, for example. */
  | { readonly kind: "cluster" };

/** A Pod whose deletion has begun. */
export interface RemovedPod {
  readonly at: Instant;
  /** `default/web-5d-x7`. */
  readonly pod: string;
  readonly workload?: string;
  readonly zone?: string;
  /** Who deleted it. */
  readonly by: string;
  /** Why, as a sentence. */
  readonly reason: string;
  readonly cause: RemovalCause;
  readonly isBusy: boolean;
  /** The tasks that it was doing, and for how long it had done so. */
  readonly tasks?: number;
  readonly workLostMs?: number;
}

export interface RemovalSources {
  readonly tracker: ClusterTracker;
  readonly journal: DecisionJournal;
  readonly busy: BusyPods;
  readonly now: () => Instant;
  /** What the scenario does at this moment, if anything. */
  readonly event: () => string | undefined;
}

/** Lists the Pods that are removed, why, and whether they were busy. */
export class RemovedPods {
  readonly removed: RemovedPod[] = [];
  readonly #sources: RemovalSources;

  constructor(sources: RemovalSources) {
    this.#sources = sources;
  }

  /** Takes a change of a Pod; counts it in its tallies if it is the beginning of a deletion. */
  observe({ tracked, kind }: PodChange): RemovedPod | undefined {
    if (kind !== "deletion-began") return undefined;
    const { tracker, busy, now } = this.#sources;
    const { pod, workloads, tallies } = tracked;
    const work = busy.workOf(pod, now());
    for (const tally of tallies) {
      tally.removed++;
      if (work !== undefined) tally.busyRemoved++;
    }
    const workload = workloads.at(-1);
    const zone = tracker.zoneOf(pod.spec.nodeName);
    const removed = {
      at: now(),
      pod: keyOf(pod),
      ...(workload !== undefined && { workload }),
      ...(zone !== undefined && { zone }),
      ...this.#causeOf(pod),
      isBusy: work !== undefined,
      ...(work !== undefined && { tasks: work.tasks, workLostMs: now() - work.since }),
    };
    this.removed.push(removed);
    return removed;
  }

  #causeOf(pod: Pod): Pick<RemovedPod, "by" | "reason" | "cause"> {
    const { journal, event } = this.#sources;
    const decision = journal.removalOf(pod.metadata.uid);
    if (decision !== undefined)
      return { by: decision.by, reason: decision.text, cause: { kind: "decision", decision } };
    const target = findCondition(pod.status?.conditions, "DisruptionTarget");
    if (target?.status === "True") {
      const { reason = "a disruption", message = "it is disrupted" } = target;
      return { by: reason, reason: message, cause: { kind: "disruption", reason } };
    }
    const action = event();
    if (action !== undefined) return { by: "the scenario", reason: action, cause: { kind: "event" } };
    return { ...ownerCause(pod), cause: { kind: "cluster" } };
  }
}

/** Returns the cause if no decision, disruption or event explains the removal. */
function ownerCause(pod: Pod): Pick<RemovedPod, "by" | "reason"> {
  const owner = controllerOf(pod);
  if (owner === undefined) return { by: "the cluster", reason: "it was deleted" };
  const { namespace = "" } = pod.metadata;
  return owner.kind === "Job"
    ? { by: `Job ${namespace}/${owner.name}`, reason: "the Job needs it no more" }
    : { by: "the cluster", reason: "its owner or node is gone" };
}
