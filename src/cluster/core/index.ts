// The embedded cluster without anything of Node, for browsers and workers: the published subpath `trimtab/cluster/core`.

export { type CoreCluster, startCoreCluster as startCluster } from "../start-core-cluster.ts";
export { type ClusterOptions, ClusterOptionsError } from "../cluster-options.ts";
export type { NodeGroup } from "../node-groups/node-group.ts";
export { MemoryStore } from "../store/memory-store.ts";
export { AdjustableClock } from "../../machinery/clock/adjustable-clock.ts";
export { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
export { seededRandom } from "../../machinery/random/random.ts";
export type { Component, ComponentEnvironment } from "../../machinery/component/component.ts";

// How it reaches pod pickers and webhooks, which are functions of the page, since it has no network.
export type { PickerConnectorFactory } from "../picker-access.ts";
export type { WebhookTransportFactory } from "../webhook-access.ts";
