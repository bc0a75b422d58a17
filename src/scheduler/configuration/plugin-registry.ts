import type { FeatureGates } from "../../api/feature-gates.ts";
import { defaultEntries, inTreePlugins } from "../../decisions/placement/default-plugins.ts";
import type { PluginEntry } from "../../decisions/placement/plugin-entry.ts";
import type { ExtensionPoint } from "./configuration-schema.ts";

/** What a configuration file can do with a plugin. */
export interface RegisteredPlugin {
  readonly name: string;
  readonly points: readonly ExtensionPoint[];
  /** The weight of its scores in the default set; absent or 0 counts as 1. */
  readonly weight?: number;
}

/** The plugins that a configuration file can name. */
export interface PluginRegistry {
  readonly names: readonly string[];
  /** The placement plugins, in-tree and out-of-tree. */
  readonly entries: readonly PluginEntry[];
  find(name: string): RegisteredPlugin | undefined;
  /** The entry of a placement plugin. */
  entryOf(name: string): PluginEntry | undefined;
  /** The plugins of a profile that changes nothing, in their order. */
  defaults(gates: FeatureGates): readonly RegisteredPlugin[];
}

/** Upstream has plugins for what the queue and the binding cycle of this scheduler do themselves. */
const builtIn: readonly RegisteredPlugin[] = [
  { name: "PrioritySort", points: ["queueSort"] },
  { name: "DefaultBinder", points: ["bind"] },
];

/** Creates a registry of the in-tree plugins and of out-of-tree ones; a profile has to enable the latter. */
export function pluginRegistry(outOfTree: readonly PluginEntry[] = []): PluginRegistry {
  const entries = [...inTreePlugins, ...outOfTree];
  const plugins = new Map<string, RegisteredPlugin>();
  for (const plugin of [...entries, ...builtIn]) {
    if (plugins.has(plugin.name)) throw new Error(`two scheduler plugins have the name ${plugin.name}`);
    plugins.set(plugin.name, plugin);
  }
  return {
    names: [...plugins.keys()],
    entries,
    find: (name) => plugins.get(name),
    entryOf: (name) => entries.find((entry) => entry.name === name),
    defaults: (gates) => [...defaultEntries(gates), ...builtIn],
  };
}

/** Plugins of kube-scheduler, of its current version and of the time of v1beta1, that this scheduler does not have. */
const unimplemented: ReadonlySet<string> = new Set([
  "NodeVolumeLimits",
  "DynamicResources",
  "NodeDeclaredFeatures",
  "GangScheduling",
  "TopologyPlacementGenerator",
  "PodGroupPodsCount",
  "AzureDiskLimits",
  "CinderLimits",
  "EBSLimits",
  "GCEPDLimits",
  "NodeLabel",
  "NodePreferAvoidPods",
  "NodeResourcesLeastAllocated",
  "NodeResourcesMostAllocated",
  "RequestedToCapacityRatio",
  "ServiceAffinity",
]);

/** Whether kube-scheduler has a plugin of this name that this scheduler does not have. */
export function isUnimplemented(name: string): boolean {
  return unimplemented.has(name);
}
