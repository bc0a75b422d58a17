import type { FeatureGates } from "../../api/feature-gates.ts";
import { defaultEntries, inTreePlugins } from "../../decisions/placement/default-plugins.ts";
import type { ExtensionPoint } from "./document-shape.ts";

/** What a plugin of ours can be put to work for. */
export interface RegisteredPlugin {
  readonly name: string;
  readonly points: readonly ExtensionPoint[];
  /** Of its scores in the default set; 0 counts as 1. */
  readonly weight: number;
}

/** Parts of the scheduler itself that Kubernetes counts among the plugins. */
const builtIn: readonly RegisteredPlugin[] = [
  { name: "PrioritySort", points: ["queueSort"], weight: 0 },
  { name: "DefaultBinder", points: ["bind"], weight: 0 },
];

/** The plugins a profile starts from, in their order. */
export function startingPlugins(gates: FeatureGates): readonly RegisteredPlugin[] {
  return [...defaultEntries(gates), ...builtIn];
}

const catalogue: ReadonlyMap<string, RegisteredPlugin> = new Map(
  [...inTreePlugins, ...builtIn].map((entry) => [entry.name, entry]),
);

/** The plugin of a name, if it is one of ours. */
export function findPlugin(name: string): RegisteredPlugin | undefined {
  return catalogue.get(name);
}

/** The names of the plugins of ours. */
export const pluginNames: readonly string[] = [...catalogue.keys()];

/** Plugins of Kubernetes, of today and of the days of v1beta1, that are not built here. */
const notBuilt: ReadonlySet<string> = new Set([
  "VolumeRestrictions",
  "NodeVolumeLimits",
  "VolumeBinding",
  "VolumeZone",
  "DynamicResources",
  "DefaultPreemption",
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

/** Whether Kubernetes has a plugin of this name and we do not. */
export function isUnimplemented(name: string): boolean {
  return notBuilt.has(name);
}
