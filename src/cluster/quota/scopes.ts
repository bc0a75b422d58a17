import type {
  PersistentVolumeClaim,
  Pod,
  PodAffinityTerm,
  ResourceQuota,
  ScopedResourceSelectorRequirement as Requirement,
} from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Sent } from "../../api/sent.ts";
import { qosClass } from "../../api/pod/qos-class.ts";

/** Reports whether a quota counts an object: every scope of the quota has to match it. */
export function isInScope(
  { spec = {} }: Sent<ResourceQuota>,
  collection: string,
  object: JsonObject,
): boolean {
  const requirements = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ];
  return requirements.every((requirement) => matches(requirement, collection, object));
}

function matches(requirement: Sent<Requirement>, collection: string, object: JsonObject): boolean {
  if (collection === "pods") return podMatches(requirement, object as unknown as Pod);
  // Other objects are in no scope, except claims, which may have a VolumeAttributesClass.
  if (collection !== "persistentvolumeclaims" || requirement.scopeName !== "VolumeAttributesClass")
    return false;
  const { spec }: Sent<PersistentVolumeClaim> = object;
  return nameMatches(requirement, spec?.volumeAttributesClassName ?? "");
}

function podMatches(requirement: Sent<Requirement>, { spec }: Pod): boolean {
  const { scopeName = "" } = requirement;
  switch (scopeName) {
    case "Terminating":
      return hasDeadline(spec);
    case "NotTerminating":
      return !hasDeadline(spec);
    case "BestEffort":
      return qosClass(spec) === "BestEffort";
    case "NotBestEffort":
      return qosClass(spec) !== "BestEffort";
    case "PriorityClass":
      return nameMatches(requirement, spec.priorityClassName ?? "");
    case "CrossNamespacePodAffinity":
      return affinityTerms(spec).some(reachesOtherNamespaces);
    default:
      return false;
  }
}

const hasDeadline = ({ activeDeadlineSeconds }: Pod["spec"]) =>
  activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;

function nameMatches({ operator = "", values = [] }: Sent<Requirement>, name: string): boolean {
  switch (operator) {
    case "In":
      return values.includes(name);
    case "NotIn":
      return !values.includes(name);
    case "Exists":
      return name !== "";
    case "DoesNotExist":
      return name === "";
    default:
      return false;
  }
}

function affinityTerms({ affinity = {} }: Pod["spec"]): readonly PodAffinityTerm[] {
  const { podAffinity = {}, podAntiAffinity = {} } = affinity;
  return [podAffinity, podAntiAffinity].flatMap((rules) => [
    ...(rules.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(rules.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ]);
}

const reachesOtherNamespaces = ({ namespaces = [], namespaceSelector }: PodAffinityTerm) =>
  namespaces.length > 0 || namespaceSelector !== undefined;
