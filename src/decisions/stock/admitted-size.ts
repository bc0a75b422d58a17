import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isActive, isTerminating } from "../../api/pod-state.ts";
import { budgetOf } from "../rollout/budget.ts";
import { sizeOf } from "../rollout/counts.ts";
import type { JsonObject } from "../../api/json.ts";

/** The Pods of a Deployment that take up its budget under `TerminationComplete`. */
export interface PodBudget {
  readonly replicas: number;
  /** 0 for `Recreate`. */
  readonly maxSurge: number;
  /** Pods that run or are about to be created: of every ReplicaSet its size, or its active Pods if these are more. */
  readonly pods: number;
  readonly terminating: number;
  /** How many Pods may be added; never negative. */
  readonly room: number;
}

/** What a budget is computed from. */
export interface BudgetInput {
  readonly deployment: Deployment;
  /** All that the Deployment controls. */
  readonly replicaSets: readonly ReplicaSet[];
  /** All that match its selector, those of deleted ReplicaSets included. */
  readonly pods: readonly Pod[];
  /** Sizes that were admitted and not stored yet, by the UID of the ReplicaSet. */
  readonly reserved?: ReadonlyMap<string, number>;
  /** Pods of ReplicaSets that were admitted and are not stored yet. */
  readonly reservedForNew?: number;
}

/** Counts the Pods of a Deployment against `replicas + maxSurge`. */
export function podBudget({
  deployment,
  replicaSets,
  pods,
  reserved,
  reservedForNew = 0,
}: BudgetInput): PodBudget {
  const { replicas, maxSurge, maxReplicas } = budgetOf(deployment, defaultFeatureGates);
  const active = new Map<string, number>();
  for (const pod of pods) {
    const owner = isActive(pod) ? controllerOf(pod)?.uid : undefined;
    if (owner !== undefined) active.set(owner, (active.get(owner) ?? 0) + 1);
  }
  const present = replicaSets.reduce((total, replicaSet) => {
    const { uid } = replicaSet.metadata;
    return total + Math.max(sizeOf(replicaSet), reserved?.get(uid) ?? 0, active.get(uid) ?? 0);
  }, reservedForNew);
  const terminating = pods.filter(isTerminating).length;
  const room = Math.max(maxReplicas - present - terminating, 0);
  return { replicas, maxSurge, pods: present, terminating, room };
}

/** The size that a ReplicaSet gets that is to grow: as much of what was asked for as there is room for, never less than it has. */
export function admittedSize(
  { asked, old }: { readonly asked: number; readonly old: number },
  { room }: PodBudget,
): number {
  return Math.min(asked, old + room);
}

/**
 * On a ReplicaSet that got less than was asked for it. Admission writes it with the smaller size, so that the copy that
 * wakes capped Deployments knows of those that another copy has capped. Its value never changes: `kubectl rollout undo`
 * can take it to the Deployment, whose controller copies it to ReplicaSets, and the two would write it in turn for ever.
 */
export const cappedAnnotation = "trimtab.dev/capped";

/** Whether a ReplicaSet was admitted with a smaller size than its Deployment asked for. */
export function isCapped({ metadata }: Pick<ReplicaSet, "metadata">): boolean {
  return metadata.annotations?.[cappedAnnotation] !== undefined;
}

interface AdmittedGrowth {
  readonly asked: number;
  readonly size: number;
  /** The annotations of the ReplicaSet in the request; a Scale has none to write. */
  readonly annotations: JsonObject | undefined;
}

/** JSON patch operations that give a ReplicaSet the size it was admitted with and say whether that is less; none: as asked. */
export function growthPatch({ asked, size, annotations }: AdmittedGrowth): readonly JsonObject[] {
  const path = `/metadata/annotations/${cappedAnnotation.replace("/", "~1")}`;
  if (size === asked) return annotations?.[cappedAnnotation] === undefined ? [] : [{ op: "remove", path }];
  return [
    { op: "replace", path: "/spec/replicas", value: size },
    ...(annotations === undefined ? [] : [{ op: "add", path, value: "true" }]),
  ];
}
