import type { PolicyRule } from "../../../api/generated/rbac-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { type Access, allows } from "./policy-rules.ts";

/** A rule of a hundred verbs, groups, resources and names each gives a hundred million rights. */
const mostRights = 10_000;

/**
 * Returns the rights of some rules that others do not grant, one rule for each resource with the missing verbs. After
 * `mostRights` of them rules are not split any more: each of the others has to be granted by a single rule.
 */
export function missingRights(
  held: readonly Sent<PolicyRule>[],
  wanted: readonly Sent<PolicyRule>[],
): readonly Sent<PolicyRule>[] {
  let left = mostRights;
  const missing = wanted.flatMap((rule) => {
    const rights = rightsIn(rule);
    if (rights > left) return held.some((own) => coversWhole(own, rule)) ? [] : [rule];
    left -= rights;
    return singleRules(rule).filter((single) => !held.some((own) => covers(own, single)));
  });
  return joinedByResource(missing);
}

function joinedByResource(rules: readonly Sent<PolicyRule>[]): readonly Sent<PolicyRule>[] {
  const byResource = new Map<string, { readonly rule: Sent<PolicyRule>; readonly verbs: string[] }>();
  for (const rule of rules) {
    const { verbs = [], ...what } = rule;
    const isPath = what.nonResourceURLs !== undefined; // Kubernetes' messages have a rule for each verb of a path
    const key = JSON.stringify(isPath ? rule : what);
    const joined = byResource.get(key);
    if (joined === undefined) byResource.set(key, { rule: what, verbs: [...verbs] });
    else if (!isPath) joined.verbs.push(...verbs);
  }
  return [...byResource.values()].map(({ rule, verbs }) => ({ ...rule, verbs }));
}

/** Returns how many rules of one right each a rule would be split into. */
function rightsIn(rule: Sent<PolicyRule>): number {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const named = apiGroups.length * resources.length * Math.max(1, resourceNames.length);
  return verbs.length * (named + nonResourceURLs.length);
}

/** Reports whether one rule grants all that another one does. */
function coversWhole(rule: Sent<PolicyRule>, wanted: Sent<PolicyRule>): boolean {
  const { nonResourceURLs: urls = [] } = wanted;
  return (
    includesAll(rule.verbs, wanted.verbs) &&
    includesAll(rule.apiGroups, wanted.apiGroups) &&
    coversResources(rule, wanted.resources) &&
    coversNames(rule, wanted.resourceNames) &&
    (urls.length === 0 || includesAll(rule.nonResourceURLs, urls))
  );
}

function coversResources(rule: Sent<PolicyRule>, wanted: readonly string[] = []): boolean {
  const resources = new Set(rule.resources);
  return (
    resources.has("*") || wanted.every((each) => resources.has(each) || resources.has(inAnyResource(each)))
  );
}

function coversNames({ resourceNames = [] }: Sent<PolicyRule>, wanted: readonly string[] = []): boolean {
  const names = new Set(resourceNames);
  return names.size === 0 || (wanted.length > 0 && wanted.every((each) => names.has(each)));
}

function includesAll(values: readonly string[] = [], wanted: readonly string[] = []): boolean {
  const known = new Set(values);
  return known.has("*") || wanted.every((each) => known.has(each));
}

// A rule may name a subresource of any resource, such as "*/scale".
function inAnyResource(resource: string): string {
  const at = resource.indexOf("/");
  return at === -1 ? resource : `*${resource.slice(at)}`;
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
