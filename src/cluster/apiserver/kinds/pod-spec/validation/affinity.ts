import { invalid, required } from "../../../../../api/field-error.ts";
import type { Affinity, PodAffinity, PodAffinityTerm } from "../../../../../api/generated/core-v1.ts";
import { dns1123LabelProblems } from "../../../../../api/names.ts";
import { each, type FieldErrors, none } from "../../../../../api/field-checks.ts";
import { validateLabelKey, validateSelector } from "../../../../../api/labels/validate-selector.ts";
import { validateNodeAffinity, validateWeight } from "../../../../../api/pod/validate-node-affinity.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { validateLabelKeys } from "./placement.ts";

/** Validates node affinity, Pod affinity and Pod anti-affinity. */
export function validateAffinity(affinity: Sent<Affinity> | undefined, path: string): FieldErrors {
  if (affinity === undefined) return none;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return [
    ...validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`),
    ...validatePodAffinity(podAffinity, `${path}.podAffinity`),
    ...validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

function validatePodAffinity(affinity: Sent<PodAffinity> | undefined, path: string): FieldErrors {
  if (affinity === undefined) return none;
  return [
    ...each(
      affinity.requiredDuringSchedulingIgnoredDuringExecution,
      `${path}.requiredDuringSchedulingIgnoredDuringExecution`,
      validatePodTerm,
    ),
    ...each(
      affinity.preferredDuringSchedulingIgnoredDuringExecution,
      `${path}.preferredDuringSchedulingIgnoredDuringExecution`,
      ({ weight, podAffinityTerm = {} }, at) => [
        ...validateWeight(weight, `${at}.weight`),
        ...validatePodTerm(podAffinityTerm, `${at}.podAffinityTerm`),
      ],
    ),
  ];
}

function validatePodTerm(term: Sent<PodAffinityTerm>, path: string): FieldErrors {
  const { namespaces = [], topologyKey = "" } = term;
  return [
    ...validateSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...namespaces.flatMap((name) =>
      dns1123LabelProblems(name).map((problem) => invalid(`${path}.namespace`, name, problem)),
    ),
    ...validateLabelKeys(term, path),
    ...(topologyKey === "" ? [required(`${path}.topologyKey`, "can not be empty")] : none),
    ...validateLabelKey(topologyKey, `${path}.topologyKey`),
  ];
}
