import type {
  MatchResources,
  NamedRuleWithOperations,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { compileLabelSelector } from "../../../../api/labels/compile-label-selector.ts";
import { type LabelSelection, nothing } from "../../../../api/labels/label-selector.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { AdmissionAttributes, ReviewedObjects } from "../../webhooks/admission-request.ts";
import { matchesAnyRule } from "../../webhooks/match-rules.ts";
import { type NamespaceLabels, selectsObjects } from "../../webhooks/selects-objects.ts";

/** Matches the requests that a policy or a binding applies to. */
export interface ResourceMatcher {
  readonly rules: readonly NamedRuleWithOperations[];
  readonly excluded: readonly NamedRuleWithOperations[];
  readonly isExact: boolean;
  readonly namespaceSelection: LabelSelection;
  readonly objectSelection: LabelSelection;
}

type Subject = Pick<AdmissionAttributes, "operation" | "resource" | "subresource" | "name">;

/** Compiles a declaration with its defaults filled in; without a declaration, every request matches. */
export function resourceMatcher(declared: MatchResources = {}): ResourceMatcher {
  return {
    rules: declared.resourceRules ?? [],
    excluded: declared.excludeResourceRules ?? [],
    isExact: declared.matchPolicy === "Exact",
    namespaceSelection: selectionOf(declared.namespaceSelector),
    objectSelection: selectionOf(declared.objectSelector),
  };
}

/**
 * Returns the resource in whose version a request matches: its own, or another of the same objects. A matcher without rules
 * matches every resource that it does not exclude.
 */
export function matchedResource(
  matcher: ResourceMatcher,
  subject: Subject,
  equivalents: readonly ServedResource[],
): ServedResource | undefined {
  const own = subject.resource;
  const candidates = matcher.isExact ? [own] : [own, ...equivalents.filter((each) => each !== own)];
  const find = (rules: readonly NamedRuleWithOperations[]) =>
    candidates.find((resource) => matchesAnyRule(named(rules, subject.name), { ...subject, resource }));
  if (find(matcher.excluded) !== undefined) return undefined;
  return matcher.rules.length === 0 ? own : find(matcher.rules);
}

/** Whether any rule may match, whatever the name of the object: decided once for a resource. */
export function mayMatch(
  matcher: ResourceMatcher,
  subject: Omit<Subject, "name">,
  equivalents: readonly ServedResource[],
): boolean {
  const rules = matcher.rules.map((rule) => ({ ...rule, resourceNames: [] }));
  return (
    matchedResource({ ...matcher, rules, excluded: [] }, { ...subject, name: "" }, equivalents) !== undefined
  );
}

/** Whether both selectors select a request. */
export function isSelected(
  matcher: ResourceMatcher,
  request: AdmissionAttributes & ReviewedObjects,
  namespaceLabels: NamespaceLabels,
): boolean {
  return selectsObjects(matcher, request, namespaceLabels);
}

function named(rules: readonly NamedRuleWithOperations[], name: string): readonly NamedRuleWithOperations[] {
  return rules.filter(({ resourceNames = [] }) => resourceNames.length === 0 || resourceNames.includes(name));
}

function selectionOf(selector: MatchResources["objectSelector"]): LabelSelection {
  const compiled = compileLabelSelector(selector ?? {});
  // Validation refuses a selector that does not compile.
  return compiled.ok ? compiled.selection : nothing;
}
