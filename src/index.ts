// The front door: what most users import. Each subpath exports more. Nothing here loads the schema table; what does,
// such as `planRollout`, is exported by its subpath.

export type { Deployment, ReplicaSet } from "./api/generated/apps-v1.ts";
export type { Node, Pod } from "./api/generated/core-v1.ts";
export { defaultFeatureGates, type FeatureGates } from "./api/feature-gates.ts";

export { chooseVictims } from "./decisions/downscale/choose-victims.ts";
export { countPerNode } from "./decisions/downscale/co-location.ts";
export { removalReason, survivalReason } from "./decisions/explain/removal-reason.ts";

export { placePod } from "./decisions/placement/place-pod.ts";
export { pluginSetOf } from "./decisions/placement/plugin-entry.ts";
export { defaultPlugins } from "./decisions/placement/default-plugins.ts";
export { podInfo } from "./decisions/placement/objects/pod-info.ts";
export { clusterViewOf } from "./decisions/placement/view/list-view.ts";
