// The embedded cluster: the published subpath `trimtab/cluster`.

export { type Cluster, startCluster } from "./start-cluster.ts";
export type { ClusterOptions } from "./cluster-options.ts";
export type { Part, Surroundings } from "./part-starter.ts";
export type { Access, ApiServer } from "./apiserver/create-api-server.ts";
export { type Authority, createAuthority } from "./apiserver/certificates/certificate.ts";
export { type KubeconfigFacts, kubeconfigText } from "./write-kubeconfig.ts";
export {
  type PickerAccess,
  type PickerReach,
  pickersAllowed,
  pickersNearby,
  pickersOver,
} from "./picker-reach.ts";
