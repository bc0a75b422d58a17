import type { RuleWithOperations } from "../../../api/generated/admissionregistration-v1.ts";
import type { Resource } from "../../../api/resource.ts";
import type { AdmissionOperation } from "./admission-request.ts";

/** The part of a request that webhook rules are compared with. */
export interface RuleSubject {
  readonly operation: AdmissionOperation;
  readonly resource: Pick<Resource, "group" | "version" | "plural" | "namespaced">;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** Reports whether any of the rules matches. */
export function matchesAnyRule(
  rules: readonly RuleWithOperations[] | undefined,
  subject: RuleSubject,
): boolean {
  return rules?.some((rule) => matchesRule(rule, subject)) ?? false;
}

function matchesRule(rule: RuleWithOperations, { operation, resource, subresource }: RuleSubject): boolean {
  return (
    matchesEntry(rule.operations, operation) &&
    matchesEntry(rule.apiGroups, resource.group) &&
    matchesEntry(rule.apiVersions, resource.version) &&
    matchesScope(rule.scope, resource.namespaced) &&
    (rule.resources ?? []).some((entry) => matchesResource(entry, resource.plural, subresource))
  );
}

function matchesEntry(entries: readonly string[] = [], value: string): boolean {
  return entries.includes("*") || entries.includes(value);
}

function matchesScope(scope = "*", namespaced: boolean): boolean {
  return scope === "*" || (scope === "Namespaced") === namespaced;
}

/**
 * Matches a resource: `pods` is only the object, `pods/*` also its subresources (upstream matches the empty one too),
 * `*` any object.
 */
function matchesResource(entry: string, plural: string, subresource: string): boolean {
  const [resource = "", sub = ""] = entry.split("/", 2);
  return (resource === "*" || resource === plural) && (sub === "*" || sub === subresource);
}
