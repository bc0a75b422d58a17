import type { PreFilterOutcome } from "./run-pre-filter.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
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
export interface ScoredNode extends RankedNode {
  /** Of the plugins that have a preference, in order. */
  readonly scores: readonly PluginScore[];
}

/** A node and the sum of all its scores, each times its weight. */
export interface RankedNode {
  readonly node: string;
  readonly total: number;
}

/** What one plugin gives all nodes, in their order. */
interface ScoreColumn extends Pick<PluginScore, "plugin" | "weight"> {
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

/** All scores of a placement: by plugin, since every plugin gives hundreds and hardly anybody looks at one of them. */
export interface ScoreSheet {
  readonly nodes: readonly RankedNode[];
  readonly columns: readonly ScoreColumn[];
}

/** Where nothing was compared. */
export const noScores: ScoreSheet = { nodes: [], columns: [] };

/** The nodes with their scores, in the order given, or the plugin that could not score them. */
export type Scoring = ({ readonly kind: "scored" } & ScoreSheet) | Breakdown;

/** Scores the nodes that will do (PreScore, Score, NormalizeScore). */
export function scoreNodes(
  { scorings }: Pick<PreFilterOutcome, "scorings">,
  feasible: readonly NodeInfo[],
): Scoring {
  const columns: ScoreColumn[] = [];
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
    columns.push({ plugin, weight, raw, normalized });
  }
  const nodes = feasible.map(({ name }, index) => ({ node: name, total: totalAt(index, columns) }));
  return { kind: "scored", nodes, columns };
}

function totalAt(index: number, columns: readonly ScoreColumn[]): number {
  let total = 0;
  for (const { normalized, weight } of columns) total += (normalized[index] ?? 0) * weight;
  return total;
}

/** The same, node by node. */
export function scoredNodes({ nodes, columns }: ScoreSheet): readonly ScoredNode[] {
  return nodes.map((ranked, index) => ({
    ...ranked,
    scores: columns.map(({ plugin, weight, raw, normalized }) => ({
      plugin,
      raw: raw[index] ?? 0,
      normalized: normalized[index] ?? 0,
      weight,
    })),
  }));
}
