import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { imageLocality } from "./image-locality/plugin.ts";
import { interPodAffinity } from "./inter-pod-affinity/plugin.ts";
import type { InterPodAffinityArgs } from "./inter-pod-affinity/score.ts";
import type { WeightedPlugin } from "./plugin-set.ts";
import { nodeAffinity, type NodeAffinityArgs } from "./node-affinity/plugin.ts";
import { nodeName } from "./node-name/plugin.ts";
import { nodePorts } from "./node-ports/plugin.ts";
import {
  type BalancedAllocationArgs,
  nodeResourcesBalancedAllocation,
} from "./node-resources-balanced-allocation/plugin.ts";
import { nodeResourcesFit, type NodeResourcesFitArgs } from "./node-resources-fit/plugin.ts";
import { nodeUnschedulable } from "./node-unschedulable/plugin.ts";
import type { Plugin } from "./plugin.ts";
import type { PodTopologySpreadArgs } from "./pod-topology-spread/effective-constraints.ts";
import { podTopologySpread } from "./pod-topology-spread/plugin.ts";
import { schedulingGates } from "./scheduling-gates/plugin.ts";
import { selectorSpread } from "./selector-spread/plugin.ts";
import { taintToleration } from "./taint-toleration/plugin.ts";

/** What operators may set, by plugin; sound values, whoever parsed them has checked them. */
export interface PluginArgs {
  readonly NodeAffinity?: NodeAffinityArgs;
  readonly NodeResourcesFit?: NodeResourcesFitArgs;
  readonly PodTopologySpread?: PodTopologySpreadArgs;
  readonly InterPodAffinity?: InterPodAffinityArgs;
  readonly NodeResourcesBalancedAllocation?: BalancedAllocationArgs;
}

/** Kubernetes' names for the steps at which a plugin may have a word. */
export type PluginPoint = "preEnqueue" | "preFilter" | "filter" | "preScore" | "score";

/** A plugin there is: where it works, how much its scores count, how it comes about, and when it is not in the default set. */
export interface PluginEntry {
  readonly name: string;
  readonly points: readonly PluginPoint[];
  readonly weight: number;
  readonly create: (args: PluginArgs) => Plugin;
  readonly isDefault?: (gates: FeatureGates) => boolean;
}

const filters = ["filter"] as const;
const scores = ["preScore", "score"] as const;
const filtersAndScores = ["preFilter", ...filters, ...scores] as const;

/** Every plugin, in the order of the default set: the first that refuses a node is the one blamed for it. */
export const inTreePlugins: readonly PluginEntry[] = [
  { name: "SchedulingGates", points: ["preEnqueue"], weight: 1, create: () => schedulingGates },
  { name: "NodeUnschedulable", points: filters, weight: 1, create: () => nodeUnschedulable },
  { name: "NodeName", points: filters, weight: 1, create: () => nodeName },
  { name: "TaintToleration", points: [...filters, ...scores], weight: 3, create: () => taintToleration },
  {
    name: "NodeAffinity",
    points: filtersAndScores,
    weight: 2,
    create: (args) => nodeAffinity(args.NodeAffinity),
  },
  { name: "NodePorts", points: ["preFilter", ...filters], weight: 1, create: () => nodePorts },
  {
    name: "NodeResourcesFit",
    points: filtersAndScores,
    weight: 1,
    create: (args) => nodeResourcesFit(args.NodeResourcesFit),
  },
  {
    name: "PodTopologySpread",
    points: filtersAndScores,
    weight: 2,
    create: (args) => podTopologySpread(args.PodTopologySpread),
  },
  {
    name: "InterPodAffinity",
    points: filtersAndScores,
    weight: 2,
    create: (args) => interPodAffinity(args.InterPodAffinity),
  },
  {
    name: "NodeResourcesBalancedAllocation",
    points: scores,
    weight: 1,
    create: (args) => nodeResourcesBalancedAllocation(args.NodeResourcesBalancedAllocation),
  },
  { name: "ImageLocality", points: ["score"], weight: 1, create: () => imageLocality },
  {
    name: "SelectorSpread",
    points: scores,
    weight: 1,
    create: () => selectorSpread,
    isDefault: (gates) => !gates.DefaultPodTopologySpread,
  },
];

/** The default set. With `DefaultPodTopologySpread` off, Pods without constraints are spread as they used to be. */
export function defaultPlugins(
  args: PluginArgs = {},
  gates: FeatureGates = defaultFeatureGates,
): readonly WeightedPlugin[] {
  const PodTopologySpread: PodTopologySpreadArgs = args.PodTopologySpread ?? {
    defaultingType: gates.DefaultPodTopologySpread ? "System" : "List",
  };
  return defaultEntries(gates).map(({ create, weight }) => ({
    plugin: create({ ...args, PodTopologySpread }),
    weight,
  }));
}

/** The entries of the default set, in their order. */
export function defaultEntries(gates: FeatureGates): readonly PluginEntry[] {
  return inTreePlugins.filter(({ isDefault }) => isDefault?.(gates) ?? true);
}
