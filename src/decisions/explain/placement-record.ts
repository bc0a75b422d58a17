import { formatTime, type Instant } from "../../api/time.ts";
import { explainPlacement, type PlacementExplanation } from "../placement/explain-placement.ts";
import type { Placement } from "../placement/place-pod.ts";
import { describeConstraint, describeSelection, failedSchedulingMessage } from "./placement-reason.ts";

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

/** What a record weighs at least, so that small clusters do not retain any number of Pods. */
const leastWeight = 20;

/**
 * How placements are recorded: the last one of each Pod. A record weighs as much as it has nodes, of which there are
 * thousands in a large cluster, and is made when it is read: most are never read.
 */
export const placementEncoder = {
  limits: { perObject: 1, weight: 1000 * leastWeight },
  subject: ({ placement }: PlacementDecision) => {
    const { namespace = "", name, uid } = placement.pod.metadata;
    return { kind: "Pod", namespace, name, uid };
  },
  weight: ({ placement: { refused, feasible } }: PlacementDecision): number =>
    Math.max(refused.length + feasible.length, leastWeight),
  toRecord: toPlacementRecord,
  isLazy: true,
};

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
    at: formatTime(at),
    profile,
    attempt,
    ...(preemption === undefined ? {} : { preemption }),
    summary: failedSchedulingMessage(placement) ?? describeSelection(explanation),
    spread: explanation.constraints.map((constraint) => describeConstraint(constraint, explanation.selector)),
    ...explanation,
  };
}
