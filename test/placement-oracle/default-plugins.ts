import { imageLocality } from "./image-locality/plugin.ts";
import { interPodAffinity } from "./inter-pod-affinity/plugin.ts";
import { nodeAffinity } from "./node-affinity/plugin.ts";
import { nodeName } from "./node-name/plugin.ts";
import { nodePorts } from "./node-ports/plugin.ts";
import { nodeResourcesBalancedAllocation } from "./node-resources-balanced-allocation/plugin.ts";
import { nodeResourcesFit } from "./node-resources-fit/plugin.ts";
import { nodeUnschedulable } from "./node-unschedulable/plugin.ts";
import type { WeightedPlugin } from "./plugin-set.ts";
import { podTopologySpread } from "./pod-topology-spread/plugin.ts";
import { selectorSpread } from "./selector-spread/plugin.ts";
import { taintToleration } from "./taint-toleration/plugin.ts";
import { volumeBinding, volumeRestrictions, volumeZone } from "./volumes/plugins.ts";
import type { PluginArgs } from "../../src/decisions/placement/default-plugins.ts";

/** The plain plugins in the order and with the weights of the default set, and SelectorSpread where it is asked for. */
export function plainPlugins(args: PluginArgs, withSelectorSpread: boolean): readonly WeightedPlugin[] {
  const spread = podTopologySpread(args.PodTopologySpread);
  return [
    { plugin: nodeUnschedulable, weight: 1 },
    { plugin: nodeName, weight: 1 },
    { plugin: taintToleration, weight: 3 },
    { plugin: nodeAffinity(args.NodeAffinity), weight: 2 },
    { plugin: nodePorts, weight: 1 },
    { plugin: nodeResourcesFit(args.NodeResourcesFit), weight: 1 },
    { plugin: volumeRestrictions, weight: 1 },
    { plugin: volumeBinding, weight: 1 },
    { plugin: volumeZone, weight: 1 },
    { plugin: spread, weight: 2 },
    { plugin: interPodAffinity(args.InterPodAffinity), weight: 2 },
    { plugin: nodeResourcesBalancedAllocation(args.NodeResourcesBalancedAllocation), weight: 1 },
    { plugin: imageLocality, weight: 1 },
    ...(withSelectorSpread ? [{ plugin: selectorSpread, weight: 1 }] : []),
  ];
}
