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
import type { Sent } from "../../../api/kinds/sent.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../../api/labels/label-selector.ts";
import type { Store } from "../../store/store.ts";
import { defaultRoles } from "./default-roles.ts";
import { type Access, allows } from "./policy-rules.ts";
import { accountUserName, adminGroup, authenticatedGroup, isAdmin, type User } from "./user.ts";

/** Whether an access is allowed, and why. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Says what users may do: members of system:masters everything, the others what roles that are bound to them allow. */
export interface Authorizer {
  decide(user: User, access: Access): AccessDecision;
  /** The rules that hold for a user in a namespace, cluster-wide ones included. */
  rulesOf(user: User, namespace: string): readonly Sent<PolicyRule>[];
}

type Rules = readonly Sent<PolicyRule>[];

const group = "rbac.authorization.k8s.io";
/** What every user who is known may do, whatever becomes of the roles that say so. */
const basicRules: Rules = defaultRoles
  .filter(({ groups = [] }) => groups.includes(authenticatedGroup))
  .flatMap(({ rules }) => rules);

/** Creates the authorizer over the roles and bindings in a store. */
export function createAuthorizer(store: Store): Authorizer {
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

/** Rules that hold for a user, and the binding that says so. */
interface Grant {
  readonly rules: Rules;
  readonly because: string;
}

function* grants(store: Store, user: User, namespace: string): Iterable<Grant> {
  if (user.groups.includes(authenticatedGroup))
    yield { rules: basicRules, because: `members of ${authenticatedGroup} may do this` };
  for (const { object } of store.collection(`clusterrolebindings.${group}`).records()) {
    const binding: Sent<ClusterRoleBinding> = object;
    if (isSubject(user, binding.subjects)) yield grantOf(store, "ClusterRoleBinding", binding);
  }
  if (namespace === "") return;
  for (const { object } of store.collection(`rolebindings.${group}`).records({ namespace })) {
    const binding: Sent<RoleBinding> = object;
    if (isSubject(user, binding.subjects, namespace)) yield grantOf(store, "RoleBinding", binding);
  }
}

function grantOf(store: Store, kind: string, { metadata = {}, roleRef = {} }: Sent<RoleBinding>): Grant {
  const { name = "", namespace = "" } = metadata;
  const bound = `${kind} ${JSON.stringify(namespace === "" ? name : `${name}/${namespace}`)}`;
  const role = `${roleRef.kind ?? ""} ${JSON.stringify(roleRef.name ?? "")}`;
  return { rules: rulesOfRole(store, roleRef, namespace), because: `RBAC: allowed by ${bound} of ${role}` };
}

function isSubject(user: User, subjects: readonly Sent<Subject>[] = [], namespace = ""): boolean {
  return subjects.some(({ kind, name = "", namespace: own = namespace }) => {
    if (kind === "User") return user.name === name;
    if (kind === "Group") return user.groups.includes(name);
    return kind === "ServiceAccount" && user.name === accountUserName(own, name);
  });
}

/** The rules of the role that a binding in a namespace refers to; those of an aggregated one included. */
export function rulesOfRole(store: Store, { kind, name = "" }: Sent<RoleRef>, namespace: string): Rules {
  if (kind === "Role") {
    const role: Sent<Role> = store.collection(`roles.${group}`).get(`${namespace}/${name}`)?.object ?? {};
    return role.rules ?? [];
  }
  const role: Sent<ClusterRole> = store.collection(`clusterroles.${group}`).get(name)?.object ?? {};
  return [...(role.rules ?? []), ...aggregatedRules(store, role as ClusterRole)];
}

/** The rules of the ClusterRoles that an aggregated one selects, in the order of their names. */
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
