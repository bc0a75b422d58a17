import { formatLabelSelection } from "../../api/labels/label-selector.ts";
import type { DerivedSelector, SelectorSource } from "./derived-selector.ts";
import { stringOf } from "./objects/reading.ts";
import type { Placement, PlacementOutcome } from "./place-pod.ts";
import type { SpreadConstraint } from "./objects/spread-constraint.ts";
import type { Rejection } from "./plugin.ts";
import { type PluginScore, scoredNodes } from "./score-nodes.ts";

/** A placement as it is kept and shown: plain JSON without references to the objects it is about. */
export interface PlacementExplanation {
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly outcome: PlacementOutcome;
  /** The topology spread constraints that took effect, and their source. */
  readonly constraints: readonly ConstraintExplanation[];
  /** The derived selector of default constraints, and the objects it was derived from. */
  readonly selector?: SelectorExplanation;
  /** Every node that was examined: the feasible ones, the best first, then the rejected ones. */
  readonly nodes: readonly NodeExplanation[];
  readonly notLookedAt: {
    readonly nodes: number;
    /** Why PreFilter excluded them; absent when enough other nodes were feasible. */
    readonly because?: Rejection;
  };
}

export interface ConstraintExplanation extends Omit<
  SpreadConstraint,
  "selection" | "honorsAffinity" | "honorsTaints"
> {
  /** In the syntax of kubectl's `-l`; absent when it selects nothing. */
  readonly selector?: string;
  readonly nodeAffinityPolicy: "Honor" | "Ignore";
  readonly nodeTaintsPolicy: "Honor" | "Ignore";
}

export interface SelectorExplanation {
  readonly selector: string;
  readonly from: readonly SelectorSource[];
}

export type NodeExplanation =
  | { readonly node: string; readonly verdict: "refused"; readonly because: Rejection }
  | {
      readonly node: string;
      readonly verdict: "chosen" | "possible";
      /** Absent when no other node was feasible. */
      readonly total?: number;
      readonly scores: readonly PluginScore[];
    };

/** Converts a placement into its explanation; nothing is computed again. */
export function explainPlacement(placement: Placement): PlacementExplanation {
  const { metadata } = placement.pod;
  const states = [...placement.pluginStates.values()];
  const selector = states.find((state) => state.selector !== undefined)?.selector;
  return {
    pod: {
      namespace: stringOf(metadata?.namespace),
      name: stringOf(metadata?.name),
      uid: stringOf(metadata?.uid),
    },
    outcome: placement.outcome,
    constraints: states.flatMap(({ constraints = [] }) => constraints).map(explainConstraint),
    ...(selector === undefined ? {} : { selector: explainSelector(selector) }),
    nodes: nodesOf(placement),
    notLookedAt: {
      nodes: placement.nodes - placement.examined,
      ...(placement.leftOut === undefined ? {} : { because: placement.leftOut }),
    },
  };
}

function explainConstraint(constraint: SpreadConstraint): ConstraintExplanation {
  const { selection, honorsAffinity, honorsTaints, ...rest } = constraint;
  return {
    ...rest,
    ...(selection.selects === "nothing" ? {} : { selector: formatLabelSelection(selection) }),
    nodeAffinityPolicy: honorsAffinity ? "Honor" : "Ignore",
    nodeTaintsPolicy: honorsTaints ? "Honor" : "Ignore",
  };
}

function explainSelector({ selection, from }: DerivedSelector): SelectorExplanation {
  return { selector: formatLabelSelection(selection), from };
}

function nodesOf({ outcome, feasible, scored, refused }: Placement): readonly NodeExplanation[] {
  const chosen = outcome.kind === "placed" ? outcome.node : undefined;
  const compared =
    scored.nodes.length > 0 ? scoredNodes(scored) : feasible.map((node) => ({ node, scores: [] }));
  const possible = compared.map((each) => ({
    ...each,
    verdict: each.node === chosen ? ("chosen" as const) : ("possible" as const),
  }));
  const rank = ({ verdict, ...each }: (typeof possible)[number]): number =>
    verdict === "chosen" ? Infinity : "total" in each ? each.total : 0;
  return [
    ...possible.toSorted((a, b) => rank(b) - rank(a)),
    ...refused
      .toArray()
      .map(({ node, rejection }) => ({ node, verdict: "refused" as const, because: rejection })),
  ];
}
