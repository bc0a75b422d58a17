import type { NodeExplanation } from "../placement/explain-placement.ts";
import type { PodPlacementExplanation } from "./explain-pod-placement.ts";
import {
  type TextCell,
  countText,
  joinParagraphs,
  plain,
  type TextOptions,
  textTable,
} from "./text-table.ts";

/** Limits the nodes that are listed, unless the user asks for all. */
const mostNodes = 50;

/** A placement for people: the node, what was assumed, the constraints, and the verdict on every node. */
export function placementText(
  explanation: PodPlacementExplanation,
  { isWide = false, paint = plain }: TextOptions = {},
): string {
  const { notes, spread } = explanation;
  return joinParagraphs([
    [paint("heading", headline(explanation)), ...preemptionLines(explanation)],
    [assumption(explanation)],
    ["Spreading:", ...(spread.length > 0 ? spread : ["no constraint applies"]).map((each) => `  ${each}`)],
    nodeTable(explanation, { isWide, paint }),
    notLookedAtLines(explanation),
    placementLegend(listedNodes(explanation, isWide), (node) => greatestLoss(node, explanation)?.plugin),
    notes.map((note) => `Note: ${note}`),
  ]);
}

function listedNodes({ nodes }: PodPlacementExplanation, isWide: boolean): readonly NodeExplanation[] {
  return isWide ? nodes : nodes.slice(0, mostNodes);
}

function nodeTable(
  explanation: PodPlacementExplanation,
  { isWide, paint }: Required<TextOptions>,
): readonly string[] {
  const { nodes } = explanation;
  if (nodes.length === 0) return [];
  const listed = listedNodes(explanation, isWide);
  const plugins = isWide ? pluginsOf(nodes) : [];
  const headings = ["NODE", "VERDICT", "POINTS", ...plugins.map((name) => name.toUpperCase()), "WHY"];
  const rows = listed.map((node) => rowOf(node, { explanation, plugins }));
  const hidden = nodes.length - listed.length;
  return [
    ...textTable(headings, rows, paint),
    ...(hidden > 0 ? [`… and ${countText(hidden, "more node")}; -o wide shows all.`] : []),
  ];
}

function notLookedAtLines({ notLookedAt }: PodPlacementExplanation): readonly string[] {
  const { nodes, because } = notLookedAt;
  if (nodes === 0 || because === undefined) return [];
  return [`${countText(nodes, "node")} not looked at: ${because.reasons.join(", ")}.`];
}

function headline({ pod, isHypothetical, currentNode, choices, because }: PodPlacementExplanation): string {
  const name = `${pod.namespace}/${pod.name}`;
  const subject = subjectOf(name, isHypothetical);
  const present = currentNode === undefined ? "" : ` runs on ${currentNode}. Placed anew now, it`;
  if (choices.length === 0) return `${subject}${present} would find no node: ${withoutStop(because)}.`;
  const [first] = choices;
  if (choices.length === 1) return `${subject}${present} would go to ${first}: ${because}.`;
  return `${subject}${present} would go to one of ${choices.join(", ")}, by lot: each has ${because}.`;
}

/** The Pods that a workload creates have no name yet. */
function subjectOf(name: string, isHypothetical: boolean): string {
  if (!isHypothetical) return `Pod ${name}`;
  return name.endsWith("…") ? `The next Pod ${name}` : `A new Pod ${name}`;
}

/** What PostFilter does, or Kubernetes' own sentence about why it does nothing. */
function preemptionLines({ preemption }: PodPlacementExplanation): readonly string[] {
  if (preemption === undefined) return [];
  const text = withoutStop(preemption);
  return text.startsWith("preempts ")
    ? [`To make room for it, the scheduler ${text}.`]
    : [`No room can be made for it: ${text.replace(/^preemption: /, "")}.`];
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

function assumption({ scheduler }: PodPlacementExplanation): string {
  return `Assumed: scheduler ${scheduler.name} with ${scheduler.configuration}.`;
}

function pluginsOf(nodes: readonly NodeExplanation[]): readonly string[] {
  const compared = nodes.flatMap((node) => (node.verdict === "refused" ? [] : [node]));
  return (compared[0]?.scores ?? []).map(({ plugin }) => plugin);
}

interface RowOptions {
  readonly explanation: PodPlacementExplanation;
  readonly plugins: readonly string[];
}

function rowOf(node: NodeExplanation, { explanation, plugins }: RowOptions): readonly TextCell[] {
  if (node.verdict === "refused") {
    const { reasons, detail } = node.because;
    const why = `${reasons.join(", ")}${detail === undefined ? "" : ` (${detail})`}`;
    return [node.node, { text: "refused", style: "bad" }, "", ...plugins.map(() => ""), why];
  }
  const isChoice = explanation.choices.includes(node.node);
  const points = (name: string) => {
    const score = node.scores.find(({ plugin }) => plugin === name);
    return score === undefined ? "" : String(score.normalized * score.weight);
  };
  return [
    node.node,
    isChoice ? { text: "best", style: "good" } : "fits",
    node.total === undefined ? "" : String(node.total),
    ...plugins.map(points),
    isChoice ? "" : lossText(node, explanation),
  ];
}

function lossText(node: NodeExplanation, explanation: PodPlacementExplanation): string {
  const most = greatestLoss(node, explanation);
  return most === undefined ? "" : `loses ${most.points} by ${most.plugin}`;
}

/** The plugin that costs a node the most points against the best one. */
function greatestLoss(
  node: NodeExplanation,
  { nodes, choices }: PodPlacementExplanation,
): { readonly plugin: string; readonly points: number } | undefined {
  const best = nodes.find(({ verdict }) => verdict === "chosen");
  if (node.verdict === "refused" || choices.includes(node.node)) return undefined;
  if (best === undefined || best.verdict === "refused") return undefined;
  const losses = node.scores.map(({ plugin, normalized, weight }) => {
    const other = best.scores.find((each) => each.plugin === plugin)?.normalized ?? 0;
    return { plugin, points: (other - normalized) * weight };
  });
  const [most] = losses.toSorted((one, other) => other.points - one.points);
  return most === undefined || most.points <= 0 ? undefined : most;
}

/** What each plugin gives points for, for readers who see their names for the first time. */
const meanings: Readonly<Record<string, string>> = {
  ImageLocality: "more where images of the Pod are already",
  InterPodAffinity: "more where the affinities of Pods to Pods want it",
  NodeAffinity: "more where the node has labels that the Pod prefers",
  NodeResourcesBalancedAllocation: "more where CPU and memory stay used evenly",
  NodeResourcesFit: "more where more of the node is free, unless it is configured otherwise",
  PodTopologySpread: "more where fewer of the Pods above are",
  TaintToleration: "more where fewer taints of the node would rather keep the Pod away",
};

/** What the plugins mean by which nodes lost points, one line each; none where no node did. */
function placementLegend(
  nodes: readonly NodeExplanation[],
  losesBy: (node: NodeExplanation) => string | undefined,
): readonly string[] {
  const used = new Set(nodes.flatMap((node) => losesBy(node) ?? []));
  const lines = [...used].sort().flatMap((plugin) => {
    const meaning = meanings[plugin];
    return meaning === undefined ? [] : [`  ${plugin}: ${meaning}.`];
  });
  return lines.length === 0
    ? []
    : [
        "Plugins of the scheduler give points to every node that fits; the most points win. Those that decided here:",
        ...lines,
      ];
}
