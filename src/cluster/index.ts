// The embedded cluster: the published subpath `trimtab/cluster`.

export {
  type EmbeddedCluster,
  startEmbeddedCluster as startCluster,
} from "./embedding/start-embedded-cluster.ts";
export type { EmbeddedClusterOptions } from "./embedding/embedding-options.ts";
export { ClusterOptionsError } from "./cluster-options.ts";
export type { NodeGroup } from "./node-groups/node-group.ts";
export { AdjustableClock } from "../machinery/clock/adjustable-clock.ts";
export { VirtualClock } from "../machinery/clock/virtual-clock.ts";
export type { Component, ComponentEnvironment } from "../machinery/component/component.ts";

// How a cluster reaches pod pickers and admission webhooks; one in virtual time calls none unless its options say how.
export { type PickerAccess, localPickers } from "./network-pickers.ts";
export { localExtensionServers } from "./extension-access.ts";
export { localWebhooks } from "./webhook-access.ts";
