import { quotient } from "../../../src/decisions/placement/arithmetic.ts";
import { countedFor, usagesOf } from "../node-resources-fit/plugin.ts";
import { cpuAndMemory, type Usage, type WeightedResource } from "../node-resources-fit/scoring-strategy.ts";
import type { Plugin } from "../plugin.ts";
import { type ResourceAmounts, resourceAmount } from "../../../src/decisions/placement/objects/amounts.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { BalancedAllocationArgs } from "../../../src/decisions/placement/node-resources-balanced-allocation/args.ts";

/** Prefers nodes whose resources the Pod would bring closer to equal usage. */
export function nodeResourcesBalancedAllocation(args: BalancedAllocationArgs = {}): Plugin {
  const { resources = cpuAndMemory } = args;
  return {
    name: "NodeResourcesBalancedAllocation",

    preScore({ request }) {
      if (resources.every(({ name }) => resourceAmount(request, name) === 0)) return undefined;
      const counted = countedFor(request, resources);
      return { kind: "scores", score: (node) => scoreOf(node, counted, request) };
    },
  };
}

/** 75 where the Pod changes nothing, more where it makes usage more equal, less where it makes it less equal. */
function scoreOf(node: NodeInfo, resources: readonly WeightedResource[], request: ResourceAmounts): number {
  const after = usagesOf(resources, request, node);
  const before = after.map((usage) => ({
    ...usage,
    requested: usage.requested - resourceAmount(request, usage.name),
  }));
  return 50 + quotient(50 + balanceOf(after) - balanceOf(before), 2);
}

/** 100 when all resources are used to the same degree, 50 when one is full and another empty. */
function balanceOf(usages: readonly Usage[]): number {
  const degrees = usages.map(({ requested, allocatable }) => Math.min(1, requested / allocatable));
  return Math.trunc((1 - deviationOf(degrees)) * 100);
}

function deviationOf(degrees: readonly number[]): number {
  const [first = 0, second = 0] = degrees;
  if (degrees.length <= 1) return 0;
  // The same as below with other rounding; upstream has both.
  if (degrees.length === 2) return Math.abs((first - second) / 2);
  const mean = degrees.reduce((sum, degree) => sum + degree, 0) / degrees.length;
  const squares = degrees.reduce((sum, degree) => sum + (degree - mean) * (degree - mean), 0);
  return Math.sqrt(squares / degrees.length);
}
