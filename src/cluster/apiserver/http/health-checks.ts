import type { HealthCheck } from "../../../machinery/diagnostics/diagnostics.ts";

/**
 * What kube-apiserver does after it starts to listen. Here all of it has been done when the first request is served;
 * the names are there because tools look for them.
 */
const postStartHooks = [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "bootstrap-controller",
  "start-system-namespaces-controller",
  "start-service-ip-repair-controllers",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "start-cluster-authentication-info-controller",
  "start-kube-aggregator-informers",
  "apiservice-registration-controller",
  "apiservice-status-local-available-controller",
  "apiservice-status-remote-available-controller",
  "kube-apiserver-autoregistration",
  "apiservice-openapi-controller",
];

/** The checks of the API server, by the names of kube-apiserver; `etcd` is the store. */
export const apiServerChecks: readonly HealthCheck[] = [
  "log",
  "etcd",
  ...postStartHooks.map((hook) => `poststarthook/${hook}`),
  "autoregister-completion",
].map((name) => ({ name, ok: true }));
