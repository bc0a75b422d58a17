import { fillAbsent, eachItem, mapMembers } from "../../../../api/defaulting.ts";
import { each, type FieldErrors, none, supported } from "../../../../api/field-checks.ts";
import { duplicate, required } from "../../../../api/field-error.ts";
import type {
  MatchResources,
  NamedRuleWithOperations,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { validateSelector } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateRule } from "../webhook-configuration/validate-rule.ts";

/** Fills in what a policy or binding does not say about the requests that it is for. */
export function withMatchDefaults(resources: Sent<MatchResources>): Sent<MatchResources> {
  const filled = fillAbsent(resources, {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
  });
  const rule = (each: Sent<NamedRuleWithOperations>) => fillAbsent(each, { scope: "*" });
  return mapMembers(filled, { resourceRules: eachItem(rule), excludeResourceRules: eachItem(rule) });
}

/** Validates which requests a policy or binding is for. */
export function validateMatchResources(resources: Sent<MatchResources>, path: string): FieldErrors {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules } = resources;
  return [
    ...(matchPolicy === undefined ? [required(`${path}.matchPolicy`)] : none),
    ...supported(matchPolicy, `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...validateSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...validateSelector(objectSelector, `${path}.objectSelector`),
    ...each(resourceRules, `${path}.resourceRules`, validateNamedRule),
    ...each(excludeResourceRules, `${path}.excludeResourceRules`, validateNamedRule),
  ];
}

function validateNamedRule(rule: Sent<NamedRuleWithOperations>, path: string): FieldErrors {
  const names = new Set<string>();
  return [
    ...validateRule(rule, path),
    ...each(rule.resourceNames, `${path}.resourceNames`, (name, at) => {
      if (names.has(name)) return [duplicate(at, name)];
      names.add(name);
      return none;
    }),
  ];
}
