import { invalid, required } from "../../field-error.ts";
import type { ClusterRole, PolicyRule, Role } from "../../generated/rbac-v1.ts";
import { pathSegmentProblems } from "../../names.ts";
import { each, type FieldErrors } from "../field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateSelector } from "../label-selectors.ts";
import type { Sent } from "../sent.ts";

const stored = {
  nameProblems: pathSegmentProblems,
  unconditionalUpdate: true,
  createOnUpdate: true,
  needsComponent: true,
};

/** The strategy of Roles, which are stored, not enforced. */
export const roleStrategy: KindStrategy<Sent<Role>> = {
  ...stored,
  validate({ rules }) {
    return each(rules, "rules", (rule, at) => validateRule(rule, at, { isNamespaced: true }));
  },
};

/** The strategy of ClusterRoles, which are stored, not enforced. */
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

function validateRule(
  rule: Sent<PolicyRule>,
  path: string,
  { isNamespaced }: { readonly isNamespaced: boolean },
): FieldErrors {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors = verbs.length > 0 ? [] : [required(`${path}.verbs`, "verbs must contain at least one value")];
  if (nonResourceURLs.length > 0) {
    const refuse = (why: string) => errors.push(invalid(`${path}.nonResourceURLs`, nonResourceURLs, why));
    if (isNamespaced) refuse("namespaced rules cannot apply to non-resource URLs");
    if (apiGroups.length + resources.length + resourceNames.length > 0)
      refuse("rules cannot apply to both regular resources and non-resource URLs");
    return errors;
  }
  if (apiGroups.length === 0)
    errors.push(required(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  if (resources.length === 0)
    errors.push(required(`${path}.resources`, "resource rules must supply at least one resource"));
  return errors;
}
