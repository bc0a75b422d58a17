import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from "../../../api/generated/rbac-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Sent } from "../../../api/sent.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../../api/labels/label-selector.ts";
import type { Store } from "../../store/store.ts";
import { defaultRoles } from "./default-roles.ts";
import { type Access, allows } from "./policy-rules.ts";
import { accountUserName, adminGroup, authenticatedGroup, isAdmin, type User } from "./user.ts";

/** Whether an access is allowed, and why. */
export interface RbacDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

/**
 * Decides what users may do: members of system:masters everything, others what the roles that are bound to them allow.
 */
export interface RbacAuthorizer {
  decide(user: User, access: Access): RbacDecision;
  /** Returns the rules that apply to a user in a namespace, cluster-wide ones included. */
  rulesOf(user: User, namespace: string): readonly Sent<PolicyRule>[];
}

type Rules = readonly Sent<PolicyRule>[];

const group = "rbac.authorization.k8s.io";
/** What every authenticated user may do, even if the roles that say so are changed. */
const basicRules: Rules = defaultRoles
  .filter(({ groups = [] }) => groups.includes(authenticatedGroup))
  .flatMap(({ rules }) => rules);

/** Creates the authorizer over the roles and bindings in a store. */
export function createAuthorizer(store: Store): RbacAuthorizer {
  return {
    decide(user, access) {
      if (isAdmin(user)) return { allowed: true, reason: `members of ${adminGroup} may do everything` };
      const namespace = "path" in access ? "" : (access.namespace ?? "");
      for (const { rules, because } of grants(store, user, namespace))
        if (rules.some((rule) => allows(rule, access))) return { allowed: true, reason: because };
      return { allowed: false, reason: "" };
    },

    rulesOf: (user, namespace) => [...grants(store, user, namespace)].flatMap(({ rules }) => rules),
  };
}

/** Rules that apply to a user, and the binding that grants them. */
interface Grant {
  readonly rules: Rules;
  readonly because: string;
}

function* grants(store: Store, user: User, namespace: string): Iterable<Grant> {
  if (user.groups.includes(authenticatedGroup))
    yield { rules: basicRules, because: `members of ${authenticatedGroup} may do this` };
  for (const { object } of store.collection(`clusterrolebindings.${group}`).records())
    yield* grantOf(store, user, { kind: "ClusterRoleBinding", binding: object });
  if (namespace === "") return;
  for (const { object } of store.collection(`rolebindings.${group}`).records({ namespace }))
    yield* grantOf(store, user, { kind: "RoleBinding", binding: object });
}

interface KindOfBinding {
  readonly kind: string;
  readonly binding: Sent<ClusterRoleBinding | RoleBinding>;
}

/** Yields what a binding grants a user, if the user is one of its subjects. */
function* grantOf(store: Store, user: User, { kind, binding }: KindOfBinding): Iterable<Grant> {
  const { metadata = {}, roleRef = {}, subjects = [] } = binding;
  const { name = "", namespace = "" } = metadata;
  const subject = subjects.find((each) => isSubject(user, each, namespace));
  if (subject === undefined) return;
  const bound = described({ kind, name, namespace });
  const because = `RBAC: allowed by ${bound} of ${described(roleRef)} to ${describedSubject(subject, namespace)}`;
  yield { rules: rulesOfRole(store, roleRef, namespace) ?? [], because };
}

function isSubject(user: User, { kind, name = "", namespace }: Sent<Subject>, bindingNamespace: string) {
  if (kind === "User") return user.name === name;
  if (kind === "Group") return user.groups.includes(name);
  return kind === "ServiceAccount" && user.name === accountUserName(namespace ?? bindingNamespace, name);
}

function describedSubject(subject: Sent<Subject>, bindingNamespace: string): string {
  const { kind, name, namespace = bindingNamespace } = subject;
  return described({ kind, name, namespace: kind === "ServiceAccount" ? namespace : "" });
}

interface Description {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string;
}

function described({ kind = "", name = "", namespace = "" }: Description): string {
  return `${kind} ${JSON.stringify(namespace === "" ? name : `${name}/${namespace}`)}`;
}

/**
 * Returns the rules of the role that a binding in a namespace refers to, aggregated ones included; `undefined`: no such
 * role.
 */
export function rulesOfRole(
  store: Store,
  { kind, name = "" }: Sent<RoleRef>,
  namespace: string,
): Rules | undefined {
  if (kind === "Role") {
    const role: Sent<Role> | undefined = store
      .collection(`roles.${group}`)
      .get(`${namespace}/${name}`)?.object;
    return role && (role.rules ?? []);
  }
  const role: Sent<ClusterRole> | undefined = store.collection(`clusterroles.${group}`).get(name)?.object;
  return role && [...(role.rules ?? []), ...aggregatedRules(store, role as ClusterRole)];
}

/** Returns the rules of the ClusterRoles that an aggregated one selects, ordered by name. */
export function aggregatedRules(
  store: Store,
  { aggregationRule }: Pick<ClusterRole, "aggregationRule">,
): Rules {
  if (aggregationRule === undefined) return [];
  const selections = (aggregationRule.clusterRoleSelectors ?? []).flatMap((selector) => {
    const compiled = compileLabelSelector(selector);
    return compiled.ok ? [compiled.selection] : [];
  });
  const rules: Sent<PolicyRule>[] = [];
  for (const { object } of store.collection(`clusterroles.${group}`).records())
    if (selections.some((selection) => matchesLabels(selection, object.metadata.labels)))
      rules.push(...(((object as JsonObject)["rules"] ?? []) as Rules));
  return rules;
}
