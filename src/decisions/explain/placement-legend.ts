import type { NodeExplanation } from "../placement/explain-placement.ts";

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
export function placementLegend(
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
