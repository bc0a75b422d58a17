import { compareText } from "../../api/compare-text.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { readySince } from "../../api/pod-state.ts";
import type { BudgetUse, WaitReason } from "./daemon-action.ts";
import { type DaemonView, isUpdated, type LostNode } from "./daemon-view.ts";

/** The Pods of a node by revision; several of one revision are for the pass that manages nodes to remove. */
export type PodsOfRevisions =
  | { readonly kind: "crowded" }
  | { readonly kind: "none" }
  | { readonly kind: "new" | "old"; readonly pod: Pod }
  | { readonly kind: "both"; readonly pod: Pod; readonly old: Pod };

/** Sorts the Pods of a node that are not being deleted by revision (upstream: findUpdatedPodsOnNode). */
export function podsOfRevisions({ pods }: LostNode, hash: string): PodsOfRevisions {
  const staying = pods.filter((pod) => !isBeingDeleted(pod));
  const updated = staying.filter((pod) => isUpdated(pod, hash));
  const [pod] = updated;
  const [old] = updated.length === 0 ? staying : staying.filter((each) => !isUpdated(each, hash));
  if (updated.length > 1 || staying.length - updated.length > 1) return { kind: "crowded" };
  if (pod !== undefined) return old === undefined ? { kind: "new", pod } : { kind: "both", pod, old };
  return old === undefined ? { kind: "none" } : { kind: "old", pod: old };
}

/** Why a new Pod that is not available holds the rollout back, and until when if that is known. */
export function waitForAvailability(pod: Pod, { minReadySeconds }: DaemonView): WaitReason {
  const since = readySince(pod);
  const { name } = pod.metadata;
  if (since === undefined) return { kind: "new-not-available", pod: name };
  return { kind: "new-not-available", pod: name, until: since + minReadySeconds * 1000 };
}

/** An old Pod that may be replaced. */
export interface ReplaceablePod {
  readonly node: string;
  readonly pod: Pod;
}

/** Which candidates are within the budget, in the order of their nodes' names; the others wait. */
export function splitByBudget<T extends ReplaceablePod>(
  candidates: readonly T[],
  { limit, used }: BudgetUse,
): { readonly allowed: readonly T[]; readonly held: readonly T[] } {
  const sorted = candidates.toSorted((one, other) => compareText(one.node, other.node));
  const count = Math.max(0, limit - used);
  return { allowed: sorted.slice(0, count), held: sorted.slice(count) };
}
