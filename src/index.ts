// Which Pods go, when they are replaced, and where they land. Each subpath has more; this is what most people need.

export type { Deployment, ReplicaSet } from "./api/generated/apps-v1.ts";
export type { Node, Pod } from "./api/generated/core-v1.ts";
export {
  defaultFeatureGates,
  type FeatureGate,
  type FeatureGates,
  externalClusterFeatureGates,
  parseFeatureGates,
  type ParsedFeatureGates,
} from "./api/feature-gates.ts";
export * from "./decisions/downscale/index.ts";
export * from "./decisions/placement/index.ts";
export * from "./decisions/rollout/index.ts";
