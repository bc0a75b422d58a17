import type { Pod } from "../../api/generated/core-v1.ts";
import { type NodeChoice, chooseNode, type DrawBelow } from "./choose-node.ts";
import {
  feasibleNodesToFind,
  type FilterResult,
  findFeasibleNodes,
  type NodeSearch,
} from "./find-feasible-nodes.ts";
import { type NominatedPodsOn, rejectionBeside } from "./node-rejection.ts";
import { mapInto, PlacementWorkspace } from "./placement-workspace.ts";
import type { PluginFailure, PluginState, Rejection } from "./plugin.ts";
import type { PluginSet } from "./plugin-entry.ts";
import { RefusedNodeList, type RefusedNodes } from "./refused-nodes.ts";
import { type PreFilterOutcome, rejectionOfExcluded, runPreFilter } from "./run-pre-filter.ts";
import { noScores, scoreNodes, type ScoreSheet, type ScoringContext } from "./score-nodes.ts";
import type { NodeInfo } from "./objects/node-info.ts";
import { podInfo, type PodInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** How to place a Pod. */
export interface PlacementOptions {
  readonly pluginSet: PluginSet;
  /** Breaks ties; see `chooseNode`. */
  readonly draw: DrawBelow;
  /** The index in the ring of nodes at which to begin: the `nextStart` of the previous placement. */
  readonly start?: number;
  /** 0 or absent derives the percentage from the size of the cluster. */
  readonly percentageOfNodesToScore?: number;
  /** The node the Pod was nominated to: it is examined first and taken if it is feasible. */
  readonly nominatedNode?: string;
  /** The Pods that are nominated to a node: those as important as the Pod have to fit there beside it. */
  readonly nominatedPods?: NominatedPodsOn;
  /** For many placements one after the other; absent: what the placement lists is in new arrays. */
  readonly workspace?: PlacementWorkspace;
}

/** The node of a Pod, or why there is none, with everything that was found out on the way. */
export interface Placement {
  readonly pod: Pod;
  readonly outcome: PlacementOutcome;
  /** The number of nodes in the cluster. */
  readonly nodes: number;
  /** The nodes that were examined and rejected. */
  readonly refused: RefusedNodes;
  /** The rejection of the nodes that PreFilter excluded, which were not examined. */
  readonly leftOut?: Rejection;
  /** The nodes that passed every filter; they are scored when there are several. */
  readonly feasible: readonly string[];
  readonly scored: ScoreSheet;
  /** The number of nodes that were examined, and the index at which the next placement should begin. */
  readonly examined: number;
  readonly nextStart: number;
  /** What decisions rest on, by plugin. */
  readonly pluginStates: ReadonlyMap<string, PluginState>;
}

export type PlacementOutcome =
  | { readonly kind: "placed"; readonly node: string; readonly by: PlacedBy }
  /** The cluster has no nodes. */
  | { readonly kind: "no-nodes" }
  /** PreFilter rejected the Pod for every node. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  /** Every node was rejected. */
  | { readonly kind: "unfit" }
  | { readonly kind: "failed"; readonly breakdown: PluginFailure };

/** What decided for the node: the nomination, the lack of another feasible node, or the best total score. */
export type PlacedBy =
  | { readonly kind: "nomination" }
  | { readonly kind: "only-node" }
  | ({ readonly kind: "score" } & Omit<NodeChoice, "node">);

/** Finds the node for a Pod: filters nodes until enough are feasible, scores them and chooses the best. */
export function placePod(pod: Pod, cluster: ClusterView, options: PlacementOptions): Placement {
  const { start = 0, pluginSet } = options;
  const workspace = (options.workspace ?? new PlacementWorkspace()).begin();
  const info = podInfo(pod);
  const preFilter = runPreFilter(info, cluster, pluginSet);
  const { refused } = workspace;
  const nodes = cluster.nodes.length;
  const { end, narrowedNodes, pluginStates } = preFilter;
  const unexamined = (outcome: PlacementOutcome): Placement => {
    const none = { refused, feasible: [], scored: noScores, examined: 0, nextStart: start };
    return { pod, outcome, nodes, ...none, pluginStates };
  };
  if (nodes === 0) return unexamined({ kind: "no-nodes" });
  if (end?.kind === "fails") return unexamined({ kind: "failed", breakdown: end });
  if (end !== undefined) return unexamined({ kind: "refused", rejection: end });

  const precheck = nominatedPodsCheck(info, cluster, options);
  const nominated = feasibleNominatedNode(preFilter, cluster, { precheck, name: options.nominatedNode });
  if (nominated !== undefined) {
    const placed = unexamined({ kind: "placed", node: nominated, by: { kind: "nomination" } });
    return { ...placed, feasible: [nominated], examined: 1 };
  }
  const found = search(preFilter, cluster, { options, workspace, precheck });
  const { outcome, feasible, scored } = choose(
    found,
    { pod: info, cluster, scorers: pluginSet.scorers, workspace },
    options.draw,
  );
  const examined = found.feasible.length + refused.length;
  const nextStart = (start + examined) % nodes;
  // Without a spread: this is what every placement ends with.
  const placement = { pod, outcome, nodes, refused, feasible, scored, examined, nextStart, pluginStates };
  return narrowedNodes === undefined
    ? placement
    : { ...placement, leftOut: rejectionOfExcluded(narrowedNodes) };
}

function feasibleNominatedNode(
  preFilter: PreFilterOutcome,
  { nodes }: ClusterView,
  { name, precheck }: { readonly name: string | undefined; readonly precheck: NodeSearch["precheck"] },
): string | undefined {
  if (name === undefined) return undefined;
  const nominated = nodes.filter((node) => node.name === name && isWithin(preFilter, node));
  const refused = new RefusedNodeList();
  const all = { start: 0, wanted: 1, feasible: [], refused, precheck };
  return findFeasibleNodes(preFilter, nominated, all).feasible[0]?.name;
}

function isWithin({ narrowedNodes }: PreFilterOutcome, { name }: NodeInfo): boolean {
  return narrowedNodes === undefined || narrowedNodes.nodes.has(name);
}

interface SearchContext {
  readonly options: PlacementOptions;
  readonly workspace: PlacementWorkspace;
  readonly precheck: NodeSearch["precheck"];
}

function search(
  preFilter: PreFilterOutcome,
  { nodes }: ClusterView,
  { options, workspace, precheck }: SearchContext,
): FilterResult {
  const { start = 0, percentageOfNodesToScore = 0, pluginSet } = options;
  const { feasible, refused } = workspace;
  const candidates =
    preFilter.narrowedNodes === undefined ? nodes : nodes.filter((node) => isWithin(preFilter, node));
  // Without a plugin that scores, the first feasible node is as good as any.
  const wanted =
    pluginSet.scorers.length === 0 ? 1 : feasibleNodesToFind(candidates.length, percentageOfNodesToScore);
  return findFeasibleNodes(preFilter, candidates, { start, wanted, precheck, feasible, refused });
}

/** Rejects a node where the Pod does not fit beside the Pods that are nominated to it. */
function nominatedPodsCheck(
  pod: PodInfo,
  cluster: ClusterView,
  { nominatedPods, pluginSet }: PlacementOptions,
): NodeSearch["precheck"] {
  if (nominatedPods === undefined) return undefined;
  return (node) => rejectionBeside(node, pod, { cluster, pluginSet, nominatedPods });
}

function choose(
  { feasible, breakdown }: FilterResult,
  context: ScoringContext & { readonly workspace: PlacementWorkspace },
  draw: DrawBelow,
): Pick<Placement, "outcome" | "feasible" | "scored"> {
  const { names, best } = context.workspace;
  const uncompared = (outcome: PlacementOutcome): ReturnType<typeof choose> => ({
    outcome,
    feasible: mapInto(names, feasible, ({ name }) => name),
    scored: noScores,
  });
  if (breakdown !== undefined) return uncompared({ kind: "failed", breakdown });
  const [first] = feasible;
  if (first === undefined) return uncompared({ kind: "unfit" });
  if (feasible.length === 1)
    return uncompared({ kind: "placed", node: first.name, by: { kind: "only-node" } });
  const scored = scoreNodes(context, feasible);
  if (scored.kind === "fails") return uncompared({ kind: "failed", breakdown: scored });
  const choice = chooseNode(scored, draw, best) ?? { node: first.name, total: 0, best: [] };
  const by: PlacedBy = { kind: "score", total: choice.total, best: choice.best };
  return { outcome: { kind: "placed", node: choice.node, by }, feasible: scored.nodes, scored };
}

/**
 * The plugins that rejected a Pod, by name: it is worth another attempt when something changed that one of them waits
 * for. None for a Pod that was placed, for a cluster without nodes, or when a plugin failed.
 */
export function unschedulablePlugins({ outcome, refused, leftOut }: Placement): ReadonlySet<string> {
  switch (outcome.kind) {
    case "refused":
      return new Set(outcome.rejection.plugins);
    case "unfit":
      return new Set([...refused.plugins(), ...(leftOut?.plugins ?? [])]);
    case "no-nodes":
    case "failed":
    case "placed":
      return new Set();
  }
}
