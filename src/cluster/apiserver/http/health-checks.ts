import type { HealthCheck } from "../../../machinery/diagnostics/diagnostics.ts";
import type { Store } from "../../store/store.ts";

/**
 * The post-start hooks of kube-apiserver. Here all of them are done before the first request is served; the names exist
 * because tools look for them.
 */
const postStartHooks = [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "storage-readiness",
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

/** Returns the checks of the API server, by the names of kube-apiserver; `etcd` is the store. */
export function apiServerChecks(store: Store): readonly HealthCheck[] {
  return [
    { name: "log", ok: true },
    { name: "etcd", ok: isWritable(store) },
    ...postStartHooks.map((hook) => ({ name: `poststarthook/${hook}`, ok: true })),
    { name: "autoregister-completion", ok: true },
  ];
}

/** Returns the additional checks of `/readyz`. */
export function apiServerReadiness(store: Store, isClosing: boolean): readonly HealthCheck[] {
  return [
    { name: "etcd-readiness", ok: isWritable(store) },
    { name: "shutdown", ok: !isClosing },
  ];
}

const isWritable = (store: Store): boolean => store.writeFailure() === undefined;
