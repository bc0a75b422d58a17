import type { Plugin } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { type Amounts, amountOf, isScalarResource } from "../snapshot/amounts.ts";
import { nonZeroContainerRequest } from "../snapshot/pod-request.ts";
import { perTemplate } from "../snapshot/pod-template.ts";
import type { ResourceColumn } from "../snapshot/resource-columns.ts";
import { type NodeResourcesFitArgs, nodeResourcesFitArgs } from "./args.ts";
import { fitFilter } from "./filter.ts";
import { nodeResourcesFitHints } from "./hints.ts";
import { cpuAndMemory, strategyScore, type Usage, type WeightedResource } from "./scoring-strategy.ts";

/** Rejects nodes without enough free resources for the Pod, and prefers nodes by a scoring strategy. */
export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): Plugin {
  const { scoringStrategy = { type: "LeastAllocated" } } = args;
  const { resources = cpuAndMemory } = scoringStrategy;
  return {
    name: "NodeResourcesFit",
    preFilter: (pod, snapshot) => ({ filter: fitFilter(pod, snapshot, args) }),

    preScore(pod, snapshot) {
      const request = scoredRequest(pod, snapshot);
      const usages = usagesWith(request, countedFor(request, resources), ({ name }) => {
        const { allocatable, nonZeroRequested } = snapshot.columns.resource(name);
        return { allocatable, requested: nonZeroRequested };
      });
      return { kind: "scores", score: ({ slot }) => strategyScore(scoringStrategy, usages(slot)) };
    },
  };
}

const scoredRequest = perTemplate(({ pod }) => nonZeroContainerRequest(pod));

export const nodeResourcesFitEntry = {
  name: "NodeResourcesFit",
  points: ["preFilter", "filter", "preScore", "score"],
  args: nodeResourcesFitArgs,
  create: nodeResourcesFit,
  hints: nodeResourcesFitHints,
} as const satisfies PluginEntry<NodeResourcesFitArgs>;

/** The resources that count when a Pod is scored: scalar resources only if it requests any. */
export function countedFor(
  request: Amounts,
  resources: readonly WeightedResource[],
): readonly WeightedResource[] {
  return resources.filter(({ name }) => amountOf(request, name) > 0 || !isScalarResource(name));
}

/**
 * The usage of each resource a node has, with the Pod on it, by slot of the node. The usages are the same objects for
 * every node: they are thousands in a placement, and are read at once.
 */
export function usagesWith(
  request: Amounts,
  resources: readonly WeightedResource[],
  columnsOf: (resource: WeightedResource) => Pick<ResourceColumn, "allocatable" | "requested">,
): (slot: number) => readonly Usage[] {
  const all = resources.map((resource) => ({
    ...columnsOf(resource),
    added: amountOf(request, resource.name),
    usage: { name: resource.name, weight: resource.weight, requested: 0, allocatable: 0 },
  }));
  const usages: Usage[] = [];
  return (slot) => {
    usages.length = 0;
    for (const { allocatable, requested, added, usage } of all) {
      usage.allocatable = allocatable[slot] ?? 0;
      if (usage.allocatable === 0) continue;
      usage.requested = (requested[slot] ?? 0) + added;
      usages.push(usage);
    }
    return usages;
  };
}
