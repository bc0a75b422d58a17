import { type Claimant, claimOf } from "../../api/claim.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { podsPerStep, type Steps } from "../downscale/steps.ts";

/** The Pods an owner may claim. */
export interface ClaimablePods {
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
