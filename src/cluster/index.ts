// The embedded cluster: the published subpath `trimtab/cluster`.

export { type Cluster, startCluster } from "./start-cluster.ts";
export type { ClusterGates, ClusterOptions, GatedComponent } from "./cluster-options.ts";
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
