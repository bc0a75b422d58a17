import type { Plugin } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { type ResourceAmounts, resourceAmount, isScalarResource } from "../objects/amounts.ts";
import { nonZeroContainerRequest } from "../objects/pod-request.ts";
import { NodeMemo } from "../view/node-memo.ts";
import { perTemplate } from "../view/placement-template.ts";
import type { ResourceColumn } from "../view/cluster-columns.ts";
import { type NodeResourcesFitArgs, nodeResourcesFitArgs } from "./args.ts";
import { fitFilter, wantedResources } from "./filter.ts";
import { nodeResourcesFitHints } from "./hints.ts";
import { cpuAndMemory, strategyScore, type Usage, type WeightedResource } from "./scoring-strategy.ts";

/** Rejects nodes without enough free resources for the Pod, and prefers nodes by a scoring strategy. */
export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): Plugin {
  const { scoringStrategy = { type: "LeastAllocated" } } = args;
  const { resources = cpuAndMemory } = scoringStrategy;
  const scores = perTemplate(({ pod }, columns) => {
    const request = nonZeroContainerRequest(pod);
    const usages = usagesWith(request, countedFor(request, resources), (name) => {
      const { allocatable, nonZeroRequested } = columns.resource(name);
      return { allocatable, requested: nonZeroRequested };
    });
    return new NodeMemo(columns, (slot) => strategyScore(scoringStrategy, usages(slot)));
  });
  const wanted = perTemplate(({ request }) => wantedResources(request, args));
  return {
    name: "NodeResourcesFit",
    preFilter: (pod, cluster) => ({ filter: fitFilter(wanted(pod, cluster), cluster) }),

    preScore: (pod, cluster) => ({ kind: "scores", score: scores(pod, cluster).read() }),
  };
}

export const nodeResourcesFitEntry = {
  name: "NodeResourcesFit",
  points: ["preFilter", "filter", "preScore", "score"],
  args: nodeResourcesFitArgs,
  create: nodeResourcesFit,
  hints: nodeResourcesFitHints,
} as const satisfies PluginEntry<NodeResourcesFitArgs>;

/** The resources that count when a Pod is scored: scalar resources only if it requests any. */
export function countedFor(
  request: ResourceAmounts,
  resources: readonly WeightedResource[],
): readonly WeightedResource[] {
  return resources.filter(({ name }) => resourceAmount(request, name) > 0 || !isScalarResource(name));
}

/** Returns the usage of each resource a node has, with the Pod on it, by slot of the node. */
export function usagesWith(
  request: ResourceAmounts,
  resources: readonly WeightedResource[],
  columnsOf: (resource: string) => Pick<ResourceColumn, "allocatable" | "requested">,
): (slot: number) => readonly Usage[] {
  return (slot) => {
    const usages: Usage[] = [];
    for (const { name, weight } of resources) {
      const column = columnsOf(name);
      const allocatable = column.allocatable[slot] ?? 0;
      const requested = (column.requested[slot] ?? 0) + resourceAmount(request, name);
      if (allocatable !== 0) usages.push({ name, weight, requested, allocatable });
    }
    return usages;
  };
}
