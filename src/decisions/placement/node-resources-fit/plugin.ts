import { type Amounts, amountOf, isScalarResource } from "../snapshot/amounts.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import { nonZeroContainerRequest } from "../snapshot/pod-request.ts";
import type { Plugin } from "../plugin.ts";
import { fitFilter, type IgnoredResources } from "./filter.ts";
import {
  cpuAndMemory,
  type ScoringStrategy,
  strategyScore,
  type Usage,
  type WeightedResource,
} from "./scoring-strategy.ts";

/** What an operator may want to be different. */
export interface NodeResourcesFitArgs extends IgnoredResources {
  readonly scoringStrategy?: ScoringStrategy;
}

/** Refuses nodes without room for the Pod, and prefers those with more of it left. */
export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): Plugin {
  const { scoringStrategy = { type: "LeastAllocated" } } = args;
  const { resources = cpuAndMemory } = scoringStrategy;
  return {
    name: "NodeResourcesFit",

    preFilter(pod) {
      const request = nonZeroContainerRequest(pod.pod);
      const counted = countedFor(request, resources);
      return {
        filter: fitFilter(pod, args),
        preScore: () => ({
          kind: "scores",
          score({ allocatable, nonZeroRequested: requested }) {
            return strategyScore(scoringStrategy, usagesOf(counted, request, { allocatable, requested }));
          },
        }),
      };
    },
  };
}

/** The resources that count when a Pod is placed: scalars only if it wants any. */
export function countedFor(
  request: Amounts,
  resources: readonly WeightedResource[],
): readonly WeightedResource[] {
  return resources.filter(({ name }) => amountOf(request, name) > 0 || !isScalarResource(name));
}

/** The usage of each resource the node has, were the Pod there. */
export function usagesOf(
  resources: readonly WeightedResource[],
  request: Amounts,
  node: Pick<NodeInfo, "allocatable" | "requested">,
): readonly Usage[] {
  const usages: Usage[] = [];
  for (const { name, weight } of resources) {
    const allocatable = amountOf(node.allocatable, name);
    if (allocatable === 0) continue;
    const requested = amountOf(node.requested, name) + amountOf(request, name);
    usages.push({ name, weight, requested, allocatable });
  }
  return usages;
}
