import { claimOf, type Claimant } from "../../api/claim.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import { labelMapSelection, workloadSelection } from "../../api/labels/workload-selection.ts";
import { finish, podsPerStep, type Steps } from "../downscale/steps.ts";
import { isReplicationController, type ReplicaOwner } from "../replicas/replica-owner.ts";
import type { RevisionReader, WorkloadReader } from "./workload-reader.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isTerminal } from "../../api/pod-state.ts";

/** What an owner of Pods selects; `undefined` when its selector is empty or cannot be read: then it selects nothing. */
export function ownerSelection(owner: ReplicaOwner): LabelSelection | undefined {
  return isReplicationController(owner) ? labelMapSelection(owner) : workloadSelection(owner);
}

/** The active Pods that an owner controls, and those that it adopts with its next sync. */
export function activePodsOf<T extends ReplicaOwner>(
  owner: T,
  reader: Pick<WorkloadReader<T>, "claimablePods">,
): readonly Pod[] {
  const selection = ownerSelection(owner);
  if (selection === undefined) return [];
  const claimant = { owner, selection };
  const { ours, others } = finish(sortClaimable(reader.claimablePods(owner), claimant));
  return [...ours, ...others.filter((pod) => claimOf(pod, claimant) === "adopt")];
}

/** The ReplicaSets that a Deployment controls, or adopts with its next pass. */
export function claimedReplicaSets(
  deployment: Deployment,
  reader: Pick<RevisionReader, "claimableReplicaSets">,
): readonly ReplicaSet[] {
  const selection = workloadSelection(deployment);
  if (selection === undefined) return [];
  return reader.claimableReplicaSets(deployment).filter((replicaSet) => {
    const claim = claimOf(replicaSet, { owner: deployment, selection });
    return claim === "ours" || claim === "adopt";
  });
}

/** The Pods an owner may claim. */
interface ClaimablePods {
  /** The active ones it controls. */
  readonly ours: readonly Pod[];
  /** The active ones it has to adopt or to release. */
  readonly others: readonly Pod[];
  /** How many of those it controls are being deleted. */
  readonly terminating: number;
}

/** Sorts the Pods an owner may claim, with pauses; nearly always there is nothing to adopt or to release. */
export function* sortClaimable(pods: readonly Pod[], claimant: Claimant): Steps<ClaimablePods> {
  const ours: Pod[] = [];
  const others: Pod[] = [];
  let terminating = 0;
  let seen = 0;
  for (const pod of pods) {
    if (++seen % podsPerStep === 0) yield;
    if (isTerminal(pod)) continue;
    const claim = claimOf(pod, claimant);
    if (isBeingDeleted(pod)) terminating += claim === "ours" ? 1 : 0;
    else if (claim === "ours") ours.push(pod);
    else if (claim !== "not ours") others.push(pod);
  }
  return { ours, others, terminating };
}
