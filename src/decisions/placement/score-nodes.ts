import { mapInto, PlacementWorkspace } from "./placement-workspace.ts";
import { type PluginFailure, fails } from "./plugin.ts";
import type { WeightedPlugin } from "./plugin-entry.ts";
import type { NodeInfo } from "./objects/node-info.ts";
import type { PodInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** The score of a node by one plugin. */
export interface PluginScore {
  readonly plugin: string;
  /** The plugin's own measure. */
  readonly raw: number;
  /** The measure after NormalizeScore, 0 to 100. */
  readonly normalized: number;
  readonly weight: number;
}

/** A feasible node with all its scores. */
export interface ScoredNode {
  readonly node: string;
  /** The sum of its scores, each times its weight. */
  readonly total: number;
  /** Of the plugins that did not skip, in order. */
  readonly scores: readonly PluginScore[];
}

/** The scores of all nodes by one plugin, in the order of the nodes. */
interface ScoreColumn extends Pick<PluginScore, "plugin" | "weight"> {
  readonly raw: readonly number[];
  readonly normalized: readonly number[];
}

/** All scores of a placement, by plugin: a placement has thousands of scores, and most are never read one by one. */
export interface ScoreSheet {
  readonly nodes: readonly string[];
  /** The sum of the scores of each node, each times its weight. */
  readonly totals: readonly number[];
  readonly columns: readonly ScoreColumn[];
}

/** The scores of a placement that compared nothing. */
export const noScores: ScoreSheet = { nodes: [], totals: [], columns: [] };

/** The scores, with the nodes in the order given, or the plugin that failed. */
export type Scoring = ({ readonly kind: "scored" } & ScoreSheet) | PluginFailure;

/** What nodes are scored for. */
export interface ScoringContext {
  readonly pod: PodInfo;
  readonly cluster: ClusterView;
  readonly scorers: readonly WeightedPlugin[];
  /** Absent: the scores are in new arrays. */
  readonly workspace?: PlacementWorkspace;
}

/** Scores the feasible nodes: PreScore, Score and NormalizeScore of every plugin. */
export function scoreNodes(
  { pod, cluster, scorers, workspace = new PlacementWorkspace() }: ScoringContext,
  feasible: readonly NodeInfo[],
): Scoring {
  const totals = mapInto(workspace.totals, feasible, () => 0);
  const columns: ScoreColumn[] = [];
  for (const { plugin, weight } of scorers) {
    const { name } = plugin;
    const scorer = plugin.preScore?.(pod, cluster, feasible);
    if (scorer === undefined) continue;
    if (scorer.kind === "fails") return { ...scorer, plugin: name, point: "PreScore" };
    const raw = mapInto(workspace.scores(), feasible, scorer.score);
    const normalized = scorer.normalize?.(raw, workspace.scores()) ?? raw;
    const outside = outsideRange(normalized);
    if (outside >= 0) {
      const problem = `${normalized[outside]} for ${feasible[outside]?.name} is not within 0 to 100`;
      return { ...fails(problem), plugin: name, point: "Score" };
    }
    addWeighted(workspace.totals, normalized, weight);
    columns.push({ plugin: name, weight, raw, normalized });
  }
  return { kind: "scored", nodes: mapInto(workspace.names, feasible, nameOf), totals, columns };
}

const nameOf = ({ name }: NodeInfo): string => name;

function outsideRange(scores: readonly number[]): number {
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? Number.NaN;
    if (!(score >= 0 && score <= 100)) return index;
  }
  return -1;
}

function addWeighted(totals: number[], normalized: readonly number[], weight: number): void {
  for (let index = 0; index < totals.length; index++)
    totals[index] = (totals[index] ?? 0) + (normalized[index] ?? 0) * weight;
}

/** The scores of a placement, node by node. */
export function scoredNodes({ nodes, totals, columns }: ScoreSheet): readonly ScoredNode[] {
  return nodes.map((node, index) => ({
    node,
    total: totals[index] ?? 0,
    scores: columns.map(({ plugin, weight, raw, normalized }) => ({
      plugin,
      raw: raw[index] ?? 0,
      normalized: normalized[index] ?? 0,
      weight,
    })),
  }));
}
