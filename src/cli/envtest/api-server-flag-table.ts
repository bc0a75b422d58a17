import type { KnownFlags } from "./command-line-flags.ts";

/** What becomes of a flag of kube-apiserver here. */
export type FlagUse =
  /** It is read; `api-server-settings.ts` says how. */
  | { readonly use: "read" }
  /** It changes no answer that a client gets, so nothing has to be said. */
  | { readonly use: "nothing" }
  /** It would change answers, and cannot here: only these values, which change nothing, are accepted. */
  | { readonly use: "refused"; readonly unless: readonly string[]; readonly because: string };

const read: FlagUse = { use: "read" };
const nothing: FlagUse = { use: "nothing" };
const refused = (because: string, ...unless: readonly string[]): FlagUse => ({
  use: "refused",
  because,
  unless,
});

const otherUsers = "users are identified by client certificates and by tokens of service accounts only";
const otherRules = "access is decided by RBAC only";
const otherNumbers = "it cannot be changed here";

/** The flags of kube-apiserver 1.36 whose effect is known; the others are said to be unknown, and have none. */
export const apiServerFlags: ReadonlyMap<string, FlagUse> = new Map<string, FlagUse>([
  ["bind-address", read],
  ["secure-port", read],
  ["cert-dir", read],
  ["tls-cert-file", read],
  ["tls-private-key-file", read],
  ["client-ca-file", read],
  ["service-account-issuer", read],
  ["service-account-key-file", read],
  ["service-account-signing-key-file", read],
  ["service-cluster-ip-range", read],
  ["disable-admission-plugins", read],
  ["enable-admission-plugins", read],
  ["etcd-servers", read],
  ["feature-gates", read],
  ["api-audiences", read],

  ["admission-control-config-file", refused("admission plugins have no configuration here")],
  ["allow-privileged", refused("privileged Pods are always allowed here", "true")],
  ["authentication-config", refused(otherUsers)],
  ["authentication-token-webhook-config-file", refused(otherUsers)],
  ["authorization-config", refused(otherRules)],
  ["authorization-mode", refused(otherRules, "RBAC", "Node,RBAC")],
  ["authorization-webhook-config-file", refused(otherRules)],
  ["cors-allowed-origins", refused("pages of other origins are not served")],
  ["default-not-ready-toleration-seconds", refused(otherNumbers, "300")],
  ["default-unreachable-toleration-seconds", refused(otherNumbers, "300")],
  ["egress-selector-config-file", refused("webhooks are called directly")],
  ["enable-bootstrap-token-auth", refused(otherUsers, "false")],
  ["encryption-provider-config", refused("objects are kept in memory, as they are")],
  ["event-ttl", refused(otherNumbers, "1h0m0s", "1h", "60m")],
  ["insecure-port", refused("there is no port without TLS", "0")],
  ["oidc-issuer-url", refused(otherUsers)],
  ["requestheader-client-ca-file", refused(otherUsers)],
  ["runtime-config", refused("what is served cannot be chosen", "")],
  ["service-account-max-token-expiration", refused(otherNumbers, "0", "0s")],
  ["service-node-port-range", refused(otherNumbers, "30000-32767")],
  ["tls-sni-cert-key", refused("one certificate is shown to all")],
  ["token-auth-file", refused(otherUsers)],

  ["advertise-address", nothing],
  ["alsologtostderr", nothing],
  ["anonymous-auth", nothing],
  ["contention-profiling", nothing],
  ["default-watch-cache-size", nothing],
  ["delete-collection-workers", nothing],
  ["enable-aggregator-routing", nothing],
  ["enable-priority-and-fairness", nothing],
  ["endpoint-reconciler-type", nothing],
  ["etcd-cafile", nothing],
  ["etcd-certfile", nothing],
  ["etcd-keyfile", nothing],
  ["etcd-prefix", nothing],
  ["external-hostname", nothing],
  ["http2-max-streams-per-connection", nothing],
  ["logging-format", nothing],
  ["logtostderr", nothing],
  ["max-mutating-requests-inflight", nothing],
  ["max-requests-inflight", nothing],
  ["profiling", nothing],
  ["request-timeout", nothing],
  ["service-account-lookup", nothing],
  ["shutdown-delay-duration", nothing],
  ["storage-backend", nothing],
  ["storage-media-type", nothing],
  ["v", nothing],
  ["vmodule", nothing],
  ["watch-cache", nothing],
]);

/** The flags that are `true` without a value. */
const switches: ReadonlySet<string> = new Set([
  "allow-privileged",
  "alsologtostderr",
  "anonymous-auth",
  "contention-profiling",
  "enable-aggregator-routing",
  "enable-bootstrap-token-auth",
  "enable-priority-and-fairness",
  "logtostderr",
  "profiling",
  "service-account-lookup",
  "watch-cache",
]);

/** How the flags of kube-apiserver are read. */
export const knownApiServerFlags: KnownFlags = {
  switches,
  valued: new Set([...apiServerFlags.keys()].filter((name) => !switches.has(name))),
  letters: new Map([["v", "v"]]),
};
