import type { PolicyRule } from "../../../api/generated/rbac-v1.ts";
import type { Sent } from "../../../api/sent.ts";

/** An access that a user wants: to a resource, or to a path such as `/metrics`. */
export type Access =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string | undefined;
      /** Absent: cluster-wide. */
      readonly namespace?: string | undefined;
      readonly name?: string | undefined;
    }
  | { readonly verb: string; readonly path: string };

/** Reports whether a rule of a role allows an access. */
export function allows(rule: Sent<PolicyRule>, access: Access): boolean {
  if (!includes(rule.verbs, access.verb)) return false;
  return "path" in access ? allowsPath(rule, access.path) : allowsResource(rule, access);
}

function allowsPath({ nonResourceURLs = [] }: Sent<PolicyRule>, path: string): boolean {
  return nonResourceURLs.some(
    (pattern) => pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1))),
  );
}

type ResourceAccess = Extract<Access, { readonly resource: string }>;

function allowsResource(rule: Sent<PolicyRule>, { group, resource, subresource, name = "" }: ResourceAccess) {
  const { apiGroups, resources = [], resourceNames = [] } = rule;
  const wanted = subresource === undefined ? [resource] : [`${resource}/${subresource}`, `*/${subresource}`];
  return (
    includes(apiGroups, group) &&
    (resources.includes("*") || wanted.some((each) => resources.includes(each))) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

const includes = (values: readonly string[] = [], wanted: string) =>
  values.includes("*") || values.includes(wanted);

/** Returns the rules without repetitions: several roles may contain the same ones. */
export function distinctRules(rules: readonly Sent<PolicyRule>[]): readonly Sent<PolicyRule>[] {
  const kept = new Map<string, Sent<PolicyRule>>();
  for (const rule of rules) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const key = JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
    if (!kept.has(key)) kept.set(key, rule);
  }
  return [...kept.values()];
}
