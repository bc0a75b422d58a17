import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { unreportedTerminating } from "./counted-pods.ts";
import { availableOf, isStatusReliable, podsOf, sizeOf, totalOf, totalTerminating } from "./counts.ts";
import { occupiedBy } from "./protection.ts";
import type { Revisions } from "./revisions.ts";
import { type Limit, type TerminatingUnknown, terminatingUnknown, unreported } from "./limit.ts";

/** The Pods that take up a Deployment's budget. */
export interface PodUsage {
  /** Pods that exist or are about to be created, without the terminating ones. */
  readonly pods: number;
  /** Terminating Pods that take up budget; 0 under policies that do not count them. */
  readonly terminating: number;
  /** How many Pods of both sorts there may be. */
  readonly cap: number;
}

/** Counts these Pods; `undefined` when terminating Pods count and a ReplicaSet does not report them. */
export function podUsageOf(revisions: Revisions): PodUsage | undefined {
  const { budget, replicaSets } = revisions;
  const cap = budget.strategy === "RollingUpdate" ? budget.maxReplicas : budget.replicas;
  if (budget.policy !== "TerminationComplete")
    return { pods: totalOf(replicaSets, (each) => occupiedBy(each, revisions)), terminating: 0, cap };
  const terminating = totalTerminating(replicaSets);
  if (terminating === undefined) return undefined;
  // A report that does not show yet that Pods are terminating counts them as running.
  const unnoted = (replicaSet: ReplicaSet) => unreportedTerminating(replicaSet, revisions);
  const pods = totalOf(replicaSets, (each) => Math.max(sizeOf(each), podsOf(each) - unnoted(each)));
  return { pods, terminating: terminating + totalOf(replicaSets, unnoted), cap };
}

/** How many Pods may still be added; negative when there are too many already. */
export function headroom({ pods, terminating, cap }: PodUsage): number {
  return cap - pods - terminating;
}

/** Whether terminating Pods count and some ReplicaSet has yet to report on its size: until then no Pod is added. */
export function awaitsReports({ budget, replicaSets }: Revisions): boolean {
  return budget.policy === "TerminationComplete" && !replicaSets.every(isStatusReliable);
}

/** The ReplicaSets whose status does not show yet what became of their last size. */
export function outdatedIn({ replicaSets }: Revisions): readonly ReplicaSet[] {
  return replicaSets.filter((each) => !isStatusReliable(each) || availableOf(each) > sizeOf(each));
}

/** A number of Pods and what keeps it from being larger; no number when it depends on an unknown one. */
export type Growth =
  | { readonly kind: "known"; readonly pods: number; readonly limitedBy?: Limit }
  | { readonly kind: "unknown"; readonly limitedBy: TerminatingUnknown };

/** How many Pods may be added now, and what would limit the ReplicaSets once they are. */
export function growthOf(revisions: Revisions): Growth {
  const usage = podUsageOf(revisions);
  if (usage === undefined) return { kind: "unknown", limitedBy: terminatingUnknown(revisions.replicaSets) };
  if (awaitsReports(revisions))
    return { kind: "known", pods: 0, limitedBy: unreported(outdatedIn(revisions)) };
  const added = Math.max(headroom(usage), 0);
  return { kind: "known", pods: added, limitedBy: usageLimit(usage, added, revisions) };
}

/** What limits the ReplicaSets once so many Pods were added that none fits any more. */
function usageLimit({ pods, terminating, cap }: PodUsage, added: number, { budget }: Revisions): Limit {
  const { replicas, maxSurge } = budget;
  return pods + added < cap
    ? { kind: "terminating", pods: pods + added, terminating, replicas, maxSurge }
    : { kind: "surge", pods: pods + added, replicas, maxSurge };
}

/**
 * The size a ReplicaSet may have now on its way to all replicas, and what keeps it from having them. A ReplicaSet that
 * is too large shrinks, whatever the others have.
 */
export function grownSize(replicaSet: ReplicaSet | undefined, revisions: Revisions): Growth {
  const { replicas } = revisions.budget;
  const size = replicaSet === undefined ? 0 : sizeOf(replicaSet);
  if (size >= replicas) return { kind: "known", pods: replicas };
  const growth = growthOf(revisions);
  if (growth.kind === "unknown") return growth;
  const pods = Math.min(size + growth.pods, replicas);
  return pods === replicas ? { kind: "known", pods } : { ...growth, pods };
}
