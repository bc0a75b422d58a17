import type { FeatureGates } from "../../api/feature-gates.ts";
import { defaultEntries, pluginEntries } from "../../decisions/placement/default-plugins.ts";
import type { ExtensionPoint } from "./document-shape.ts";

/** What a plugin of ours can be put to work for. */
export interface CataloguedPlugin {
  readonly name: string;
  readonly points: readonly ExtensionPoint[];
  /** Of its scores in the default set; 0 counts as 1. */
  readonly weight: number;
}

/** Parts of the scheduler itself that Kubernetes counts among the plugins. */
const builtIn: readonly CataloguedPlugin[] = [
  { name: "PrioritySort", points: ["queueSort"], weight: 0 },
  { name: "DefaultBinder", points: ["bind"], weight: 0 },
];

/** The plugins a profile starts from, in their order. */
export function startingPlugins(gates: FeatureGates): readonly CataloguedPlugin[] {
  return [...defaultEntries(gates), ...builtIn];
}

const catalogue: ReadonlyMap<string, CataloguedPlugin> = new Map(
  [...pluginEntries, ...builtIn].map((entry) => [entry.name, entry]),
);

/** The plugin of a name, if it is one of ours. */
export function findPlugin(name: string): CataloguedPlugin | undefined {
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
export function isNotBuilt(name: string): boolean {
  return notBuilt.has(name);
}
