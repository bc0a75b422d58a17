import type { Consideration } from "./consider-pod.ts";
import type { NodeFacts } from "./facts/node-facts.ts";
import { fails, type Scorer } from "./plugin.ts";
import type { Breakdown } from "./rejection.ts";

/** What one plugin gives a node. */
export interface PluginScore {
  readonly plugin: string;
  /** The plugin's own measure. */
  readonly raw: number;
  /** That measure among those of the other nodes, 0 to 100. */
  readonly normalized: number;
  readonly weight: number;
}

/** A node that will do, and how well. */
export interface ScoredNode {
  readonly node: string;
  /** Of the plugins that have a preference, in order. */
  readonly scores: readonly PluginScore[];
  /** The sum of all scores, each times its weight. */
  readonly total: number;
}

/** The nodes with their scores, in the order given, or the plugin that could not score them. */
export type Scoring = { readonly kind: "scored"; readonly nodes: readonly ScoredNode[] } | Breakdown;

/** Scores the nodes that will do (PreScore, Score, NormalizeScore). */
export function scoreNodes(
  { scorings }: Pick<Consideration, "scorings">,
  feasible: readonly NodeFacts[],
): Scoring {
  const perPlugin: (readonly PluginScore[])[] = [];
  for (const { plugin, weight, prepare } of scorings) {
    const scorer = prepare(feasible);
    if (scorer === undefined) continue;
    if (scorer.kind === "fails") return { ...scorer, plugin, point: "PreScore" };
    const scores = scoresOf(scorer, feasible).map((score) => ({ plugin, ...score, weight }));
    const outside = scores.findIndex(({ normalized }) => !(normalized >= 0 && normalized <= 100));
    if (outside >= 0) {
      const problem = `${scores[outside]?.normalized} for ${feasible[outside]?.name} is not within 0 to 100`;
      return { ...fails(problem), plugin, point: "Score" };
    }
    perPlugin.push(scores);
  }
  const nodes = feasible.map(({ name }, index): ScoredNode => {
    const scores = perPlugin.flatMap((column) => column[index] ?? []);
    return { node: name, scores, total: totalOf(scores) };
  });
  return { kind: "scored", nodes };
}

function scoresOf(
  { score, normalize }: Scorer,
  nodes: readonly NodeFacts[],
): readonly Pick<PluginScore, "raw" | "normalized">[] {
  const raw = nodes.map((node) => score(node));
  const normalized = normalize?.(raw) ?? raw;
  return raw.map((measure, index) => ({ raw: measure, normalized: normalized[index] ?? Number.NaN }));
}

function totalOf(scores: readonly PluginScore[]): number {
  return scores.reduce((sum, { normalized, weight }) => sum + normalized * weight, 0);
}
