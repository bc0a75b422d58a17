import type { Plugin } from "../plugin.ts";
import {
  type ResourceAmounts,
  resourceAmount,
  isScalarResource,
} from "../../../src/decisions/placement/objects/amounts.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import { nonZeroContainerRequest } from "../../../src/decisions/placement/objects/pod-request.ts";
import type { NodeResourcesFitArgs } from "../../../src/decisions/placement/node-resources-fit/args.ts";
import { fitFilter } from "./filter.ts";
import { cpuAndMemory, strategyScore, type Usage, type WeightedResource } from "./scoring-strategy.ts";

/** Rejects nodes without enough free resources for the Pod, and prefers nodes by a scoring strategy. */
export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): Plugin {
  const { scoringStrategy = { type: "LeastAllocated" } } = args;
  const { resources = cpuAndMemory } = scoringStrategy;
  return {
    name: "NodeResourcesFit",
    preFilter: (pod) => ({ filter: fitFilter(pod, args) }),

    preScore({ pod }) {
      const request = nonZeroContainerRequest(pod);
      const counted = countedFor(request, resources);
      return {
        kind: "scores",
        score({ allocatable, nonZeroRequested: requested }) {
          return strategyScore(scoringStrategy, usagesOf(counted, request, { allocatable, requested }));
        },
      };
    },
  };
}

/** The resources that count when a Pod is scored: scalar resources only if it requests any. */
export function countedFor(
  request: ResourceAmounts,
  resources: readonly WeightedResource[],
): readonly WeightedResource[] {
  return resources.filter(({ name }) => resourceAmount(request, name) > 0 || !isScalarResource(name));
}

/** The usage of each resource the node has, with the Pod on it. */
export function usagesOf(
  resources: readonly WeightedResource[],
  request: ResourceAmounts,
  node: Pick<NodeInfo, "allocatable" | "requested">,
): readonly Usage[] {
  const usages: Usage[] = [];
  for (const { name, weight } of resources) {
    const allocatable = resourceAmount(node.allocatable, name);
    if (allocatable === 0) continue;
    const requested = resourceAmount(node.requested, name) + resourceAmount(request, name);
    usages.push({ name, weight, requested, allocatable });
  }
  return usages;
}
