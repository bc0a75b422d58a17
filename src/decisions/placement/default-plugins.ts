import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { imageLocality } from "./image-locality/plugin.ts";
import { interPodAffinity } from "./inter-pod-affinity/plugin.ts";
import type { InterPodAffinityArgs } from "./inter-pod-affinity/score.ts";
import type { WeightedPlugin } from "./lineup.ts";
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

/** A plugin there is: how it comes about, how much its scores count, and when it is not part of the default set. */
export interface PluginEntry {
  readonly name: string;
  readonly weight: number;
  readonly create: (args: PluginArgs) => Plugin;
  readonly isDefault?: (gates: FeatureGates) => boolean;
}

/** Every plugin, in the order of the default set. */
export const pluginEntries: readonly PluginEntry[] = [
  { name: "SchedulingGates", weight: 1, create: () => schedulingGates },
  { name: "NodeUnschedulable", weight: 1, create: () => nodeUnschedulable },
  { name: "NodeName", weight: 1, create: () => nodeName },
  { name: "TaintToleration", weight: 3, create: () => taintToleration },
  { name: "NodeAffinity", weight: 2, create: (args) => nodeAffinity(args.NodeAffinity) },
  { name: "NodePorts", weight: 1, create: () => nodePorts },
  { name: "NodeResourcesFit", weight: 1, create: (args) => nodeResourcesFit(args.NodeResourcesFit) },
  { name: "PodTopologySpread", weight: 2, create: (args) => podTopologySpread(args.PodTopologySpread) },
  { name: "InterPodAffinity", weight: 2, create: (args) => interPodAffinity(args.InterPodAffinity) },
  {
    name: "NodeResourcesBalancedAllocation",
    weight: 1,
    create: (args) => nodeResourcesBalancedAllocation(args.NodeResourcesBalancedAllocation),
  },
  { name: "ImageLocality", weight: 1, create: () => imageLocality },
  {
    name: "SelectorSpread",
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
  return pluginEntries
    .filter(({ isDefault }) => isDefault?.(gates) ?? true)
    .map(({ create, weight }) => ({ plugin: create({ ...args, PodTopologySpread }), weight }));
}
