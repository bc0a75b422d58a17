import { forbidden, invalid, required } from "../field-error.ts";
import { each, type FieldErrors, none } from "../field-checks.ts";
import type {
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from "../generated/core-v1.ts";
import { labelValueProblems } from "../labels/label-syntax.ts";
import { validateLabelKey } from "../labels/validate-selector.ts";
import { dns1123SubdomainProblems } from "../names.ts";
import type { Sent } from "../sent.ts";

/** Validates node affinity, of a Pod or of a scheduler profile. */
export function validateNodeAffinity(affinity: Sent<NodeAffinity> | undefined, path: string): FieldErrors {
  if (affinity === undefined) return none;
  return [
    ...validateNodeSelector(
      affinity.requiredDuringSchedulingIgnoredDuringExecution,
      `${path}.requiredDuringSchedulingIgnoredDuringExecution`,
    ),
    ...each(
      affinity.preferredDuringSchedulingIgnoredDuringExecution,
      `${path}.preferredDuringSchedulingIgnoredDuringExecution`,
      ({ weight, preference = {} }, termAt) => [
        ...validateWeight(weight, `${termAt}.weight`),
        ...validateNodeTerm(preference, `${termAt}.preference`, "any values"),
      ],
    ),
  ];
}

/** Validates the weight of a preferred term. */
export function validateWeight(weight: number | undefined, path: string): FieldErrors {
  const number = weight ?? 0;
  return number >= 1 && number <= 100 ? none : [invalid(path, number, "must be in the range 1-100")];
}

function validateNodeSelector(selector: Sent<NodeSelector> | undefined, path: string): FieldErrors {
  if (selector === undefined) return none;
  const { nodeSelectorTerms = [] } = selector;
  const at = `${path}.nodeSelectorTerms`;
  if (nodeSelectorTerms.length === 0) return [required(at, "must have at least one node selector term")];
  return each(nodeSelectorTerms, at, (term, termAt) => validateNodeTerm(term, termAt, "label values"));
}

function validateNodeTerm(
  term: Sent<NodeSelectorTerm>,
  path: string,
  values: "label values" | "any values",
): FieldErrors {
  return [
    ...each(term.matchExpressions, `${path}.matchExpressions`, (requirement, at) => [
      ...validateNodeOperator(requirement, at),
      ...validateLabelKey(requirement.key, `${at}.key`),
      ...(values === "any values" ? none : validateLabelValues(requirement.values, `${at}.values`)),
    ]),
    ...each(term.matchFields, `${path}.matchFields`, validateNodeField),
  ];
}

function validateLabelValues(values: readonly string[] | undefined, path: string): FieldErrors {
  return each(values, path, (value, at) =>
    labelValueProblems(value).map((problem) => invalid(at, value, problem)),
  );
}

function validateNodeOperator(
  { operator = "", values = [] }: Sent<NodeSelectorRequirement>,
  path: string,
): FieldErrors {
  const at = `${path}.values`;
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? none
        : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? none
        : [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case "Gt":
    case "Lt":
      return values.length === 1
        ? none
        : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
  }
}

function validateNodeField(requirement: Sent<NodeSelectorRequirement>, path: string): FieldErrors {
  const { key = "", operator = "", values = [] } = requirement;
  const isSet = operator === "In" || operator === "NotIn";
  const single = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const counted = isSet && values.length !== 1 ? [required(`${path}.values`, single)] : none;
  return [
    ...(isSet ? counted : [invalid(`${path}.operator`, operator, "not a valid selector operator")]),
    ...(key === "metadata.name"
      ? each(values, `${path}.values`, (value, at) =>
          dns1123SubdomainProblems(value).map((problem) => invalid(at, value, problem)),
        )
      : [invalid(`${path}.key`, key, "not a valid field selector key")]),
  ];
}
