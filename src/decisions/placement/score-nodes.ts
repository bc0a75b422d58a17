import type { Consideration } from "./consider-pod.ts";
import type { NodeFacts } from "./facts/node-facts.ts";
import { fails } from "./plugin.ts";
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
  const columns: (readonly PluginScore[])[] = [];
  for (const { plugin, weight, prepare } of scorings) {
    const scorer = prepare(feasible);
    if (scorer === undefined) continue;
    if (scorer.kind === "fails") return { ...scorer, plugin, point: "PreScore" };
    const raw = feasible.map((node) => scorer.score(node));
    const normalized = scorer.normalize?.(raw) ?? raw;
    const outside = normalized.findIndex((score) => !(score >= 0 && score <= 100));
    if (outside >= 0) {
      const problem = `${normalized[outside]} for ${feasible[outside]?.name} is not within 0 to 100`;
      return { ...fails(problem), plugin, point: "Score" };
    }
    columns.push(
      raw.map((each, index) => ({ plugin, raw: each, normalized: normalized[index] ?? 0, weight })),
    );
  }
  return { kind: "scored", nodes: feasible.map(({ name }, index) => sumUp(name, index, columns)) };
}

function sumUp(node: string, index: number, columns: readonly (readonly PluginScore[])[]): ScoredNode {
  const scores: PluginScore[] = [];
  let total = 0;
  for (const column of columns) {
    const score = column[index];
    if (score === undefined) continue;
    scores.push(score);
    total += score.normalized * score.weight;
  }
  return { node, scores, total };
}
