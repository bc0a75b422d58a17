import { invalid, required } from "../../../../api/field-error.ts";
import type { ClusterRole, PolicyRule, Role } from "../../../../api/generated/rbac-v1.ts";
import { pathSegmentProblems } from "../../../../api/names.ts";
import { each, type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateSelector } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";

const stored = {
  nameProblems: pathSegmentProblems,
  unconditionalUpdate: true,
  createOnUpdate: true,
};

/** The strategy of Roles. */
export const roleStrategy: KindStrategy<Sent<Role>> = {
  ...stored,
  validate({ rules }) {
    return each(rules, "rules", (rule, at) => validateRule(rule, at, { isNamespaced: true }));
  },
};

/** The strategy of ClusterRoles. */
export const clusterRoleStrategy: KindStrategy<Sent<ClusterRole>> = {
  ...stored,
  validate({ rules, aggregationRule }) {
    const errors = each(rules, "rules", (rule, at) => validateRule(rule, at, { isNamespaced: false }));
    if (aggregationRule === undefined) return errors;
    const at = "aggregationRule.clusterRoleSelectors";
    const { clusterRoleSelectors = [] } = aggregationRule;
    if (clusterRoleSelectors.length > 0)
      return [...errors, ...each(clusterRoleSelectors, at, validateSelector)];
    const rule = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    return [...errors, required(at, rule)];
  },
};

interface RoleScope {
  readonly isNamespaced: boolean;
}

function validateRule(rule: Sent<PolicyRule>, path: string, scope: RoleScope): FieldErrors {
  const { verbs = [], nonResourceURLs = [] } = rule;
  const idle = verbs.length > 0 ? none : [required(`${path}.verbs`, "verbs must contain at least one value")];
  const subject = nonResourceURLs.length > 0 ? validatePaths(rule, path, scope) : validateObjects(rule, path);
  return [...idle, ...subject];
}

function validatePaths(rule: Sent<PolicyRule>, path: string, { isNamespaced }: RoleScope): FieldErrors {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs } = rule;
  const isMixed = apiGroups.length + resources.length + resourceNames.length > 0;
  return [
    ...(isNamespaced ? ["namespaced rules cannot apply to non-resource URLs"] : []),
    ...(isMixed ? ["rules cannot apply to both regular resources and non-resource URLs"] : []),
  ].map((why) => invalid(`${path}.nonResourceURLs`, nonResourceURLs, why));
}

function validateObjects({ apiGroups = [], resources = [] }: Sent<PolicyRule>, path: string): FieldErrors {
  const groupless = "resource rules must supply at least one api group";
  const empty = "resource rules must supply at least one resource";
  return [
    ...(apiGroups.length > 0 ? none : [required(`${path}.apiGroups`, groupless)]),
    ...(resources.length > 0 ? none : [required(`${path}.resources`, empty)]),
  ];
}
