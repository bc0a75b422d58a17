import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { countOf, podsOf, sizeOf } from "../rollout/counts.ts";

/** What the deletion cost of a marked Pod was before; empty: it had none. */
export const originalCostAnnotation = "trimtab.dev/original-deletion-cost";
/** Which decision marked a Pod; see `MarkedBy`. */
export const decisionAnnotation = "trimtab.dev/decision";

/**
 * What programs wrote last, on Pods whose cost they manage: a Pod whose cost is another one they take for a person's, and
 * leave it for good. Such a note changes together with the cost while we change it.
 */
export const lastAssignedAnnotations = ["karpenter.sh/last-assigned-deletion-cost"] as const;

/** The decision that marked a Pod, as its annotation names it: `7f3a9c20e1.12.-1`. */
export interface MarkedBy {
  /** Random hexadecimal digits. */
  readonly decision: string;
  /** The generation that the ReplicaSet has once it has shrunk. */
  readonly generation: number;
  /** The deletion cost that was written: if the Pod has another one, a user has changed it since. */
  readonly cost: number;
}

/** A changed deletion cost of ours. */
export interface Mark extends MarkedBy {
  /** The text of the cost before; `undefined`: there was none. */
  readonly original: string | undefined;
  /** Whether the Pod still has the cost that was written. */
  readonly isIntact: boolean;
}

const form = /^([0-9a-f]{4,32})\.(\d{1,15})\.(-?\d{1,10})$/;

/** The value of the annotation. */
export function formatMarkedBy({ decision, generation, cost }: MarkedBy): string {
  return `${decision}.${generation}.${cost}`;
}

/** The mark of a Pod; `undefined` for a Pod without one, or with annotations that cannot be ours. */
export function markOf(pod: Pod): Mark | undefined {
  const original = annotationOf(pod, originalCostAnnotation);
  const found = form.exec(annotationOf(pod, decisionAnnotation) ?? "");
  if (original === undefined || found === null) return undefined;
  const [, decision = "", generation, cost] = found;
  return {
    decision,
    generation: Number(generation),
    cost: Number(cost),
    original: original === "" ? undefined : original,
    isIntact: annotationOf(pod, deletionCostAnnotation) === cost,
  };
}

/** Whether a Pod has one of the annotations of a mark, usable or not. */
export function hasMarkAnnotations(pod: Pod): boolean {
  return [originalCostAnnotation, decisionAnnotation].some((name) => annotationOf(pod, name) !== undefined);
}

/** The text of a Pod's deletion cost as its user has set it; a mark is looked through. */
export function originalCostText(pod: Pod): string | undefined {
  const mark = markOf(pod);
  return mark?.isIntact === true ? mark.original : annotationOf(pod, deletionCostAnnotation);
}

/** Returns the Pod without our mark. Decisions are made on such Pods, so that none takes our marks for costs of the user. */
export function withOriginalCost(pod: Pod): Pod {
  if (!hasMarkAnnotations(pod)) return pod;
  const original = originalCostText(pod);
  const kept = Object.entries(pod.metadata.annotations ?? {}).filter(
    ([name]) => ![originalCostAnnotation, decisionAnnotation, deletionCostAnnotation].includes(name),
  );
  const annotations = Object.fromEntries([
    ...kept,
    ...(original === undefined ? [] : [[deletionCostAnnotation, original]]),
  ]) as Readonly<Record<string, string>>;
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

/** A text annotation of a Pod; objects of other API servers may hold anything. */
export function annotationOf(pod: Pod, name: string): string | undefined {
  const value: unknown = pod.metadata?.annotations?.[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * Whether a ReplicaSet has removed what it had to for a size of this generation. Its status alone would not do: a removal
 * of more than 500 Pods goes in batches, and if marks were removed in between, later batches would remove survivors.
 */
export function hasShrunk(replicaSet: ReplicaSet, generation: number, active: number): boolean {
  const { metadata, status } = replicaSet;
  return (
    countOf(metadata.generation) >= generation &&
    countOf(status?.observedGeneration) >= generation &&
    podsOf(replicaSet) <= sizeOf(replicaSet) &&
    active <= sizeOf(replicaSet)
  );
}
