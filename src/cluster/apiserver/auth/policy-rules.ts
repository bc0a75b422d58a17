import { deepEqual } from "../../../api/deep-equal.ts";
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
  const kept: Sent<PolicyRule>[] = [];
  for (const rule of rules) if (!kept.some((other) => deepEqual(other, rule))) kept.push(rule);
  return kept;
}

/** Returns the rights of some rules that others do not grant, one rule for each resource with the missing verbs. */
export function missingRights(
  held: readonly Sent<PolicyRule>[],
  wanted: readonly Sent<PolicyRule>[],
): readonly Sent<PolicyRule>[] {
  const missing = wanted
    .flatMap((rule) => singleRules(rule))
    .filter((single) => !held.some((rule) => covers(rule, single)));
  const byResource = new Map<string, Sent<PolicyRule>>();
  for (const single of missing) {
    const { verbs = [], ...what } = single;
    const isPath = what.nonResourceURLs !== undefined; // Kubernetes' messages have a rule for each verb of a path
    const key = JSON.stringify(isPath ? single : what);
    const others = isPath ? [] : (byResource.get(key)?.verbs ?? []);
    byResource.set(key, { ...what, verbs: [...others, ...verbs] });
  }
  return [...byResource.values()];
}

/** Reports whether a rule grants a single rule; a rule for some objects does not grant a right to all of them. */
function covers(rule: Sent<PolicyRule>, single: Sent<PolicyRule>): boolean {
  const isForAll = (rule.resourceNames ?? []).length === 0;
  return (isForAll || single.resourceNames !== undefined) && allows(rule, accessOf(single));
}

/** Splits a rule into rules of one verb, group, resource and name each, or of one verb and path each. */
function singleRules(rule: Sent<PolicyRule>): readonly Sent<PolicyRule>[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      names.map((name) => ({
        apiGroups: [group],
        resources: [resource],
        ...(name !== undefined && { resourceNames: [name] }),
      })),
    ),
  );
  const whats = [...ofResources, ...nonResourceURLs.map((url) => ({ nonResourceURLs: [url] }))];
  return whats.flatMap((what) => verbs.map((verb) => ({ ...what, verbs: [verb] })));
}

/** Returns the access that a single rule grants. */
function accessOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Sent<PolicyRule>): Access {
  const verb = firstOf(verbs);
  if (nonResourceURLs !== undefined) return { verb, path: firstOf(nonResourceURLs) };
  const [resource = "", subresource] = firstOf(resources).split("/");
  return { verb, group: firstOf(apiGroups), resource, subresource, name: resourceNames?.[0] };
}

const firstOf = (values: readonly string[] = []) => values[0] ?? "";
