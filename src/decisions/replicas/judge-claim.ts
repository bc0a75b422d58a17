import type { Pod } from "../../api/generated/core-v1.ts";
import { type LabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isTerminating } from "../../api/pod-state.ts";
import { isGoing, type ReplicaOwner } from "./replica-owner.ts";

/** What a Pod is to an owner, and what is to be done about it. */
export type Claim = "ours" | "adopt" | "release" | "not ours";

/** Who lays claim to Pods. */
export interface Claimant {
  readonly owner: ReplicaOwner;
  readonly selection: LabelSelection;
}

/** Judges a Pod: an owner keeps its own, takes over orphans it selects and lets go what it no longer selects. */
export function judgeClaim(pod: Pod, { owner, selection }: Claimant): Claim {
  const isSelected = matchesLabels(selection, pod.metadata.labels);
  const controller = controllerOf(pod);
  if (controller === undefined) return isSelected && isAdoptable(pod, owner) ? "adopt" : "not ours";
  if (controller.uid !== owner.metadata.uid) return "not ours";
  if (isSelected) return "ours";
  return isGoing(owner) ? "not ours" : "release";
}

/** How many of the Pods are an owner's and ending. */
export function terminatingAmong(pods: readonly Pod[], claimant: Claimant): number {
  return pods.filter((pod) => isTerminating(pod) && judgeClaim(pod, claimant) === "ours").length;
}

function isAdoptable({ metadata }: Pod, owner: ReplicaOwner): boolean {
  // Without a UID nobody can say which Pod of that name the adoption is meant for.
  const isNamesake = (metadata.uid ?? "") === "";
  return (
    !isNamesake &&
    !isGoing(owner) &&
    (metadata.deletionTimestamp ?? null) === null &&
    metadata.namespace === owner.metadata.namespace
  );
}
