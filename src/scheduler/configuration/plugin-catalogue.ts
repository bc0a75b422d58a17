import type { ExtensionPoint } from "./document-shape.ts";

/** What a plugin of ours can be put to work for. */
export interface CataloguedPlugin {
  readonly name: string;
  readonly points: readonly ExtensionPoint[];
  /** Of its scores in the default set; 0: as if none were given, which counts as 1. */
  readonly weight: number;
}

const plugin = (name: string, points: readonly ExtensionPoint[], weight = 0): CataloguedPlugin => ({
  name,
  points,
  weight,
});

const filtersAndScores = ["preFilter", "filter", "preScore", "score"] as const;

/** The default set, in its order: the first plugin that refuses a node is the one blamed for it. */
const defaultSet: readonly CataloguedPlugin[] = [
  plugin("SchedulingGates", ["preEnqueue"]),
  plugin("PrioritySort", ["queueSort"]),
  plugin("NodeUnschedulable", ["filter"]),
  plugin("NodeName", ["filter"]),
  plugin("TaintToleration", ["filter", "preScore", "score"], 3),
  plugin("NodeAffinity", filtersAndScores, 2),
  plugin("NodePorts", ["preFilter", "filter"]),
  plugin("NodeResourcesFit", filtersAndScores, 1),
  plugin("PodTopologySpread", filtersAndScores, 2),
  plugin("InterPodAffinity", filtersAndScores, 2),
  plugin("NodeResourcesBalancedAllocation", ["preScore", "score"], 1),
  plugin("ImageLocality", ["score"], 1),
  plugin("DefaultBinder", ["bind"]),
];

/** What default constraints replaced: part of the default set while their gate is off. */
const selectorSpread = plugin("SelectorSpread", ["preScore", "score"], 1);

/** The plugins a profile starts from. */
export function defaultPlugins(gates: { readonly DefaultPodTopologySpread: boolean }) {
  return gates.DefaultPodTopologySpread ? defaultSet : [...defaultSet, selectorSpread];
}

const catalogue: ReadonlyMap<string, CataloguedPlugin> = new Map(
  [...defaultSet, selectorSpread].map((entry) => [entry.name, entry]),
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
