import type { ClusterRole, PolicyRule, RoleBinding } from "../../../api/generated/rbac-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Sent } from "../../../api/sent.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { omit } from "../registry/pick-omit.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { forbiddenRequest, notFoundError } from "../status-errors.ts";
import { rulesOfRole } from "./authorizer.ts";
import { missingRights } from "./missing-rights.ts";
import { isAdmin, type User } from "./user.ts";

const group = "rbac.authorization.k8s.io";

/** A write of a role or binding, and the version it replaces. */
export interface RoleWrite {
  readonly next: JsonObject;
  readonly previous?: JsonObject | undefined;
}

type Check = (context: ServerContext, request: ApiRequest, write: RoleWrite) => string | undefined;

const checks: Readonly<Record<string, Check>> = {
  Role: roleEscalation,
  ClusterRole: roleEscalation,
  RoleBinding: bindingEscalation,
  ClusterRoleBinding: bindingEscalation,
};

/**
 * Throws 403 when a user would grant rights that the user does not have, unless the user may escalate or bind; 404 when
 * a user who may get any rights would bind a role that does not exist.
 */
export function checkEscalation(context: ServerContext, request: ApiRequest, write: RoleWrite): void {
  const { resource, user } = request;
  if (resource.group !== group || isAdmin(user) || isForGarbageCollection(resource, write)) return;
  const problem = checks[resource.kind]?.(context, request, write);
  if (problem === undefined) return;
  throw forbiddenRequest(resource, metadataOf(write.next).name ?? "", { why: problem });
}

const everything: readonly Sent<PolicyRule>[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** Reports whether a write changes only what the garbage collector reads, which grants nothing. */
function isForGarbageCollection({ schema }: ServedResource, { next, previous }: RoleWrite): boolean {
  return previous !== undefined && schema.isSame(withoutOwnership(next), withoutOwnership(previous));
}

function withoutOwnership(object: JsonObject): JsonObject {
  return withMetadata(object, omit(metadataOf(object), ["finalizers", "managedFields", "ownerReferences"]));
}

/**
 * Returns the rights that a write of a role would add. Labels count like rules: with another label a role may be
 * aggregated to one that more users have.
 */
function roleEscalation(context: ServerContext, request: ApiRequest, write: RoleWrite) {
  const { resource, namespace, user } = request;
  const { rules = [], metadata } = write.next as Sent<ClusterRole>;
  const access = { verb: "escalate", group, resource: resource.plural, namespace, name: metadata?.name };
  if (context.authorizer.decide(user, access).allowed) return undefined;
  const own = context.authorizer.rulesOf(user, namespace ?? "");
  const problem = problemOf(user, missingRights(own, rules));
  if (problem !== undefined || !(isAggregated(write.next) || isAggregated(write.previous))) return problem;
  return missingRights(own, everything).length > 0
    ? "must have cluster-admin privileges to use the aggregationRule"
    : undefined;
}

function isAggregated(role: Sent<ClusterRole> = {}): boolean {
  return (role.aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

function bindingEscalation(context: ServerContext, request: ApiRequest, { next }: RoleWrite) {
  const { namespace = "", user } = request;
  const { roleRef = {} } = next as Sent<RoleBinding>;
  const resource = roleRef.kind === "Role" ? "roles" : "clusterroles";
  const access = { verb: "bind", group, resource, namespace, name: roleRef.name };
  if (context.authorizer.decide(user, access).allowed) return undefined;
  const wanted = rulesOfRole(context.store, roleRef, namespace);
  if (wanted === undefined) throw notFoundError(request.resource, roleRef.name ?? "");
  return problemOf(user, missingRights(context.authorizer.rulesOf(user, namespace), wanted));
}

function problemOf({ name, groups }: User, missing: readonly Sent<PolicyRule>[]): string | undefined {
  if (missing.length === 0) return undefined;
  const who = `user ${JSON.stringify(name)} (groups=[${groups.map((each) => JSON.stringify(each)).join(" ")}])`;
  const lines = [...new Set(missing.map(formatRule))].sort();
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join("\n")}`;
}

/** Formats a rule as Kubernetes' messages show it: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
function formatRule(rule: Sent<PolicyRule>): string {
  const parts = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ] as const;
  const shown = parts
    .filter(([, values = []]) => values.length > 0)
    .map(([name, values = []]) => `${name}:[${values.map((value) => JSON.stringify(value)).join(" ")}]`);
  return `{${shown.join(", ")}}`;
}
