import type { PolicyRule } from "../../../api/generated/rbac-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { adminGroup, authenticatedGroup } from "./user.ts";

/** A ClusterRole that every cluster has. */
export interface DefaultRole {
  readonly name: string;
  readonly rules: readonly Sent<PolicyRule>[];
  /** Whether its rules are those of the roles that are aggregated to it, ordered by name. */
  readonly isAggregated?: boolean;
  /** The role that its own rules are aggregated to. */
  readonly aggregateTo?: "admin" | "edit" | "view";
  /** The groups that it is bound to cluster-wide. */
  readonly groups?: readonly string[];
}

const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];

const rule = (
  verbs: readonly string[],
  apiGroup: string,
  resources: readonly string[],
): Sent<PolicyRule> => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});
const paths = (...nonResourceURLs: readonly string[]): Sent<PolicyRule> => ({
  nonResourceURLs,
  verbs: ["get"],
});

const withStatus = (names: readonly string[]) => names.flatMap((name) => [name, `${name}/status`]);

const scaled = ["deployments", "replicasets", "statefulsets"];
const scales = scaled.map((name) => `${name}/scale`);
const connections = ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy"];
const eventGroups = ["", "events.k8s.io"];

/** Allows reading everything in a namespace that grants no further rights, so no Secrets. */
const viewRules = [
  rule(read, "", ["configmaps", "endpoints", "limitranges", "namespaces", "serviceaccounts"]),
  rule(read, "", withStatus(["persistentvolumeclaims", "pods", "replicationcontrollers"])),
  rule(read, "", withStatus(["resourcequotas", "services"])),
  rule(read, "", ["bindings", "namespaces/status", "pods/log", "replicationcontrollers/scale"]),
  ...eventGroups.map((group) => rule(read, group, ["events"])),
  rule(read, "apps", ["controllerrevisions", ...withStatus(["daemonsets", ...scaled])]),
  rule(read, "apps", scales),
  rule(read, "autoscaling", withStatus(["horizontalpodautoscalers"])),
  rule(read, "batch", withStatus(["cronjobs", "jobs"])),
  rule(read, "discovery.k8s.io", ["endpointslices"]),
  rule(read, "metrics.k8s.io", ["nodes", "pods"]),
  rule(read, "networking.k8s.io", [...withStatus(["ingresses"]), "networkpolicies"]),
  rule(read, "policy", withStatus(["poddisruptionbudgets"])),
];

/** Allows changing workloads in a namespace, but neither status nor the limits of the namespace. */
const editRules = [
  rule(read, "", [...connections, "secrets", "services/proxy"]),
  rule(["impersonate"], "", ["serviceaccounts"]),
  rule(write, "", ["configmaps", "persistentvolumeclaims", "pods", ...connections]),
  rule(write, "", ["replicationcontrollers", "replicationcontrollers/scale"]),
  rule(write, "", ["secrets", "serviceaccounts", "services", "services/proxy"]),
  rule(["create"], "", ["pods/eviction", "serviceaccounts/token"]),
  ...eventGroups.map((group) => rule(write, group, ["events"])),
  rule(write, "apps", ["daemonsets", ...scaled, ...scales]),
  rule(write, "autoscaling", ["horizontalpodautoscalers"]),
  rule(write, "batch", ["cronjobs", "jobs"]),
  rule([...read, ...write], "coordination.k8s.io", ["leases"]),
  rule(write, "networking.k8s.io", ["ingresses", "networkpolicies"]),
  rule(write, "policy", ["poddisruptionbudgets"]),
];

/** The additional rights of a namespace's administrator: to grant rights in it. */
const adminRules = [
  rule(["create"], "authorization.k8s.io", ["localsubjectaccessreviews"]),
  rule([...read, ...write], "rbac.authorization.k8s.io", ["rolebindings", "roles"]),
];

const health = ["/healthz", "/livez", "/readyz"];
const version = ["/version", "/version/"];
const selfReviews = ["selfsubjectaccessreviews", "selfsubjectrulesreviews"];
const authenticated = [authenticatedGroup];
const everyone = [...authenticated, "system:unauthenticated"];

/** The roles that users of Kubernetes bind to, with their names and rights. */
export const defaultRoles: readonly DefaultRole[] = [
  {
    name: "cluster-admin",
    rules: [rule(["*"], "*", ["*"]), { nonResourceURLs: ["*"], verbs: ["*"] }],
    groups: [adminGroup],
  },
  { name: "admin", rules: [...editRules, ...viewRules, ...adminRules], isAggregated: true },
  { name: "edit", rules: [...editRules, ...viewRules], isAggregated: true, aggregateTo: "admin" },
  { name: "view", rules: viewRules, isAggregated: true, aggregateTo: "edit" },
  { name: "system:aggregate-to-admin", rules: adminRules, aggregateTo: "admin" },
  { name: "system:aggregate-to-edit", rules: editRules, aggregateTo: "edit" },
  { name: "system:aggregate-to-view", rules: viewRules, aggregateTo: "view" },
  {
    name: "system:discovery",
    rules: [paths(...health, ...version, "/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*")],
    groups: authenticated,
  },
  {
    name: "system:basic-user",
    rules: [
      rule(["create"], "authorization.k8s.io", selfReviews),
      rule(["create"], "authentication.k8s.io", ["selfsubjectreviews"]),
    ],
    groups: authenticated,
  },
  { name: "system:public-info-viewer", rules: [paths(...health, ...version)], groups: everyone },
  {
    name: "system:monitoring",
    rules: [paths("/metrics", ...health, ...health.map((path) => `${path}/*`))],
    groups: ["system:monitoring"],
  },
  {
    name: "system:auth-delegator",
    rules: [
      rule(["create"], "authentication.k8s.io", ["tokenreviews"]),
      rule(["create"], "authorization.k8s.io", ["subjectaccessreviews"]),
    ],
  },
  {
    name: "system:service-account-issuer-discovery",
    rules: [
      paths(
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/",
        "/openid/v1/jwks",
        "/openid/v1/jwks/",
      ),
    ],
    groups: ["system:serviceaccounts"],
  },
];
