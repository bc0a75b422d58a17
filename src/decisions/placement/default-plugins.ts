import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { defaultPreemptionEntry } from "./default-preemption/plugin.ts";
import { imageLocalityEntry } from "./image-locality/plugin.ts";
import { interPodAffinityEntry } from "./inter-pod-affinity/plugin.ts";
import { nodeAffinityEntry } from "./node-affinity/plugin.ts";
import { nodeNameEntry } from "./node-name/plugin.ts";
import { nodePortsEntry } from "./node-ports/plugin.ts";
import { nodeResourcesBalancedAllocationEntry } from "./node-resources-balanced-allocation/plugin.ts";
import { nodeResourcesFitEntry } from "./node-resources-fit/plugin.ts";
import { nodeUnschedulableEntry } from "./node-unschedulable/plugin.ts";
import { defaultArgs, type PluginEntry, type WeightedPlugin } from "./plugin-entry.ts";
import { podTopologySpreadEntry } from "./pod-topology-spread/plugin.ts";
import { schedulingGatesEntry } from "./scheduling-gates/plugin.ts";
import { selectorSpreadEntry } from "./selector-spread/plugin.ts";
import { taintTolerationEntry } from "./taint-toleration/plugin.ts";
import { volumeBindingEntry } from "./volume-binding/plugin.ts";
import { volumeRestrictionsEntry } from "./volume-restrictions/plugin.ts";
import { volumeZoneEntry } from "./volume-zone/plugin.ts";

/** The in-tree plugins, in the order of the default set: a rejected node is attributed to the first that rejects it. */
const entries = [
  schedulingGatesEntry,
  nodeUnschedulableEntry,
  nodeNameEntry,
  taintTolerationEntry,
  nodeAffinityEntry,
  nodePortsEntry,
  nodeResourcesFitEntry,
  volumeRestrictionsEntry,
  volumeBindingEntry,
  volumeZoneEntry,
  podTopologySpreadEntry,
  interPodAffinityEntry,
  defaultPreemptionEntry,
  nodeResourcesBalancedAllocationEntry,
  imageLocalityEntry,
  selectorSpreadEntry,
] as const satisfies readonly PluginEntry[];

export const inTreePlugins: readonly PluginEntry[] = entries;

type InTreeEntry = (typeof entries)[number];

/** The arguments of the in-tree plugins, by plugin. Validate them before: plugins rely on valid arguments. */
export type PluginArgs = {
  readonly [Entry in Extract<InTreeEntry, { readonly args: unknown }> as Entry["name"]]?: Parameters<
    Entry["create"]
  >[0];
};

/** The default set. With `DefaultPodTopologySpread` off, SelectorSpread spreads Pods without constraints. */
export function defaultPlugins(
  args: PluginArgs = {},
  gates: FeatureGates = defaultFeatureGates,
): readonly WeightedPlugin[] {
  const given: Readonly<Record<string, unknown>> = args;
  return defaultEntries(gates).map((entry) => ({
    plugin: entry.create(given[entry.name] ?? defaultArgs(entry, { isV1beta1: false, gates })),
    weight: entry.weight ?? 1,
  }));
}

/** The entries of the default set, in their order. */
export function defaultEntries(gates: FeatureGates): readonly PluginEntry[] {
  return inTreePlugins.filter(({ isDefault }) => isDefault?.(gates) ?? true);
}
