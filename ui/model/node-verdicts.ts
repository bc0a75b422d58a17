import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { PlacementRecord } from "../../src/decisions/explain/placement-record.ts";
import type { Evaluation } from "../../src/decisions/placement/evaluate-nodes.ts";
import type { PluginScore } from "../../src/decisions/placement/score-nodes.ts";

/** What was found about a node for a Pod, as tables show it. */
export interface NodeVerdict {
  readonly node: string;
  readonly verdict: "chosen" | "possible" | "refused";
  /** Why it was refused. */
  readonly because: string;
  readonly total: number | undefined;
  /** The weighted scores by plugin. */
  readonly scores: ReadonlyMap<string, number>;
}

/** The nodes of a record, in its order: the best first. */
export function verdictsOfRecord({ nodes }: PlacementRecord): readonly NodeVerdict[] {
  return nodes.map((each) =>
    each.verdict === "refused"
      ? refused(each.node, each.because.reasons)
      : {
          node: each.node,
          verdict: each.verdict,
          because: "",
          total: each.total,
          scores: scoresOf(each.scores),
        },
  );
}

/** The nodes of an evaluation, the best first; the Pod's own node counts as chosen. */
export function verdictsOfEvaluation(evaluation: Evaluation, pod: Pod): readonly NodeVerdict[] {
  if (evaluation.kind !== "evaluated") return [];
  const possible = evaluation.scored.map(({ node, total, scores }) => ({
    node,
    verdict: node === pod.spec?.nodeName ? ("chosen" as const) : ("possible" as const),
    because: "",
    total,
    scores: scoresOf(scores),
  }));
  return [
    ...possible.toSorted((a, b) => b.total - a.total),
    ...evaluation.refused.map(({ node, rejection }) => refused(node, rejection.reasons)),
  ];
}

function refused(node: string, reasons: readonly string[]): NodeVerdict {
  return { node, verdict: "refused", because: reasons.join(", "), total: undefined, scores: new Map() };
}

function scoresOf(scores: readonly PluginScore[]): ReadonlyMap<string, number> {
  return new Map(scores.map(({ plugin, normalized, weight }) => [plugin, normalized * weight]));
}
