// The embedded cluster: the published subpath `trimtab/cluster`.

export {
  type EmbeddedCluster,
  startEmbeddedCluster as startCluster,
} from "./embedding/start-embedded-cluster.ts";
export type { EmbeddedClusterOptions, HttpsOptions } from "./embedding/embedding-options.ts";
export type { GateChoice } from "./embedding/embedding-gates.ts";
export type { NodeGroup } from "./node-groups/node-group.ts";
export type { Cluster } from "./start-cluster.ts";
export { ClusterOptionsError, type GatedComponent } from "./cluster-options.ts";
export { AdjustableClock, type ClockState } from "../machinery/clock/adjustable-clock.ts";
export { VirtualClock } from "../machinery/clock/virtual-clock.ts";
export {
  type DataDirectory,
  type DataDirectoryOptions,
  openDataDirectory,
} from "./data-directory/open-data-directory.ts";
export type { ComponentOverrides, RunningComponent } from "./component-starter.ts";
export type { Component, ComponentEnvironment } from "../machinery/component/component.ts";
export type { ApiServerAccess, ApiServer } from "./apiserver/create-api-server.ts";
export {
  type CertificateAuthority,
  createCertificateAuthority,
} from "../machinery/certificates/certificate.ts";
export { type KubeconfigValues, kubeconfigText } from "./write-kubeconfig.ts";
export {
  type PickerAccess,
  type PickerConnectorFactory,
  allowedPickers,
  localPickers,
  pickerPortFactory,
} from "./picker-access.ts";
export { localWebhooks, type WebhookTransportFactory } from "./webhook-access.ts";
