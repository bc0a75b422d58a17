import { quotient } from "../arithmetic.ts";
import { countedFor, usagesWith } from "../node-resources-fit/plugin.ts";
import { cpuAndMemory, type Usage } from "../node-resources-fit/scoring-strategy.ts";
import type { Plugin } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { type ResourceAmounts, resourceAmount } from "../objects/amounts.ts";
import { NodeMemo } from "../view/node-memo.ts";
import { perTemplate } from "../view/placement-template.ts";
import { type BalancedAllocationArgs, balancedAllocationArgs } from "./args.ts";

const noRequest: ResourceAmounts = new Map();

/** Prefers nodes whose resources the Pod would bring closer to equal usage. */
export function nodeResourcesBalancedAllocation(args: BalancedAllocationArgs = {}): Plugin {
  const { resources = cpuAndMemory } = args;
  const scores = perTemplate(({ request }, columns) => {
    const counted = countedFor(request, resources);
    const after = usagesWith(request, counted, (name) => columns.resource(name));
    const before = usagesWith(noRequest, counted, (name) => columns.resource(name));
    return new NodeMemo(columns, (slot) => scoreOf(after(slot), before(slot)));
  });
  return {
    name: "NodeResourcesBalancedAllocation",

    preScore(pod, cluster) {
      if (resources.every(({ name }) => resourceAmount(pod.request, name) === 0)) return undefined;
      return { kind: "scores", score: scores(pod, cluster).read() };
    },
  };
}

export const nodeResourcesBalancedAllocationEntry = {
  name: "NodeResourcesBalancedAllocation",
  points: ["preScore", "score"],
  args: balancedAllocationArgs,
  create: nodeResourcesBalancedAllocation,
} as const satisfies PluginEntry<BalancedAllocationArgs>;

/** 75 where the Pod changes nothing, more where it makes usage more equal, less where it makes it less equal. */
function scoreOf(after: readonly Usage[], before: readonly Usage[]): number {
  return 50 + quotient(50 + balanceOf(after) - balanceOf(before), 2);
}

/** 100 when all resources are used to the same degree, 50 when one is full and another empty. */
function balanceOf(usages: readonly Usage[]): number {
  return Math.trunc((1 - deviationOf(usages)) * 100);
}

function degreeOf({ requested, allocatable }: Usage): number {
  return Math.min(1, requested / allocatable);
}

function deviationOf(usages: readonly Usage[]): number {
  const [first, second] = usages;
  if (first === undefined || second === undefined) return 0;
  // Equals the formula below but for its rounding; upstream has both.
  if (usages.length === 2) return Math.abs((degreeOf(first) - degreeOf(second)) / 2);
  const degrees = usages.map(degreeOf);
  const mean = degrees.reduce((sum, degree) => sum + degree, 0) / degrees.length;
  const squares = degrees.reduce((sum, degree) => sum + (degree - mean) * (degree - mean), 0);
  return Math.sqrt(squares / degrees.length);
}
