import { formatMicroTime, type Instant } from "../../api/time.ts";
import { explainPlacement, type PlacementExplanation } from "../placement/explain-placement.ts";
import type { Placement } from "../placement/place-pod.ts";
import { describeConstraint, placementSummary } from "./placement-reason.ts";

/** A placement decision as plain JSON: the last attempt to place a Pod, with sentences for the operator. */
export interface PlacementRecord extends PlacementExplanation {
  readonly at: string;
  readonly profile: string;
  readonly attempt: number;
  /** How room is made for a Pod without a node, or why it is not. */
  readonly preemption?: string;
  /** The node and what decided for it, or why no node was found. */
  readonly summary: string;
  /** The topology spread constraints as sentences, in their order. */
  readonly spread: readonly string[];
  /** The number of nodes that were examined, when their verdicts and scores are no longer kept. */
  readonly nodesOmitted?: number;
}

/** The placement of a Pod by one attempt of a scheduler profile. */
export interface PlacementDecision {
  readonly placement: Placement;
  readonly at: Instant;
  /** The scheduler name of the profile. */
  readonly profile: string;
  /** The number of attempts so far, this one included. */
  readonly attempt: number;
  /** What PostFilter said, as a sentence; absent when it did not run. */
  readonly preemption?: string;
}

/** The record of a placement decision. */
export function toPlacementRecord({
  placement,
  at,
  profile,
  attempt,
  preemption,
}: PlacementDecision): PlacementRecord {
  const explanation = explainPlacement(placement);
  return {
    at: formatMicroTime(at),
    profile,
    attempt,
    ...(preemption === undefined ? {} : { preemption }),
    summary: placementSummary(placement),
    spread: explanation.constraints.map((constraint) => describeConstraint(constraint, explanation.selector)),
    ...explanation,
  };
}
