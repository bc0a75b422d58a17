import { type PluginFailure, fails } from "./plugin.ts";
import type { WeightedPlugin } from "./plugin-set.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** The score of a node by one plugin. */
export interface PluginScore {
  readonly plugin: string;
  /** The plugin's own measure. */
  readonly raw: number;
  /** The measure after NormalizeScore, 0 to 100. */
  readonly normalized: number;
  readonly weight: number;
}

/** A node and the sum of all its scores, each times its weight. */
export interface RankedNode {
  readonly node: string;
  readonly total: number;
}

/** The scores of all nodes by one plugin, in the order of the nodes. */
interface ScoreColumn extends Pick<PluginScore, "plugin" | "weight"> {
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

/** All scores of a placement, by plugin: a placement has thousands of scores, and most are never read one by one. */
export interface ScoreSheet {
  readonly nodes: readonly RankedNode[];
  readonly columns: readonly ScoreColumn[];
}

/** The scores of a placement that compared nothing. */
export const noScores: ScoreSheet = { nodes: [], columns: [] };

/** The scores, with the nodes in the order given, or the plugin that failed. */
export type Scoring = ({ readonly kind: "scored" } & ScoreSheet) | PluginFailure;

/** What nodes are scored for. */
export interface ScoringContext {
  readonly pod: PodInfo;
  readonly snapshot: Snapshot;
  readonly scorers: readonly WeightedPlugin[];
}

/** Scores the feasible nodes: PreScore, Score and NormalizeScore of every plugin. */
export function scoreNodes(
  { pod, snapshot, scorers }: ScoringContext,
  feasible: readonly NodeInfo[],
): Scoring {
  const columns: ScoreColumn[] = [];
  for (const { plugin, weight } of scorers) {
    const { name } = plugin;
    const scorer = plugin.preScore?.(pod, snapshot, feasible);
    if (scorer === undefined) continue;
    if (scorer.kind === "fails") return { ...scorer, plugin: name, point: "PreScore" };
    const raw = feasible.map((node) => scorer.score(node));
    const normalized = scorer.normalize?.(raw) ?? raw;
    const outside = normalized.findIndex((score) => !(score >= 0 && score <= 100));
    if (outside >= 0) {
      const problem = `${normalized[outside]} for ${feasible[outside]?.name} is not within 0 to 100`;
      return { ...fails(problem), plugin: name, point: "Score" };
    }
    columns.push({ plugin: name, weight, raw, normalized });
  }
  const nodes = feasible.map(({ name }, index) => ({ node: name, total: totalAt(index, columns) }));
  return { kind: "scored", nodes, columns };
}

function totalAt(index: number, columns: readonly ScoreColumn[]): number {
  let total = 0;
  for (const { normalized, weight } of columns) total += (normalized[index] ?? 0) * weight;
  return total;
}
