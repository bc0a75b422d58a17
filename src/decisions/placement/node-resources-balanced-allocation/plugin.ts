import { quotient } from "../arithmetic.ts";
import { type Amounts, amountOf } from "../snapshot/amounts.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import { countedFor, usagesOf } from "../node-resources-fit/plugin.ts";
import { cpuAndMemory, type Usage, type WeightedResource } from "../node-resources-fit/scoring-strategy.ts";
import type { Plugin } from "../plugin.ts";

/** Which resources are to be used evenly; their weights do not matter. */
export interface BalancedAllocationArgs {
  readonly resources?: readonly WeightedResource[];
}

/** Prefers nodes whose resources the Pod would bring closer to being used evenly. */
export function nodeResourcesBalancedAllocation(args: BalancedAllocationArgs = {}): Plugin {
  const { resources = cpuAndMemory } = args;
  return {
    name: "NodeResourcesBalancedAllocation",

    preFilter({ request }) {
      if (resources.every(({ name }) => amountOf(request, name) === 0)) return undefined;
      const counted = countedFor(request, resources);
      return { preScore: () => ({ kind: "scores", score: (node) => scoreOf(node, counted, request) }) };
    },
  };
}

/** 75 where the Pod changes nothing, more where it makes the node more even, less where less. */
function scoreOf(node: NodeInfo, resources: readonly WeightedResource[], request: Amounts): number {
  const after = usagesOf(resources, request, node);
  const before = after.map((usage) => ({
    ...usage,
    requested: usage.requested - amountOf(request, usage.name),
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
  // The same as below, but a computer rounds it differently, and upstream has both.
  if (degrees.length === 2) return Math.abs((first - second) / 2);
  const mean = degrees.reduce((sum, degree) => sum + degree, 0) / degrees.length;
  const squares = degrees.reduce((sum, degree) => sum + (degree - mean) * (degree - mean), 0);
  return Math.sqrt(squares / degrees.length);
}
