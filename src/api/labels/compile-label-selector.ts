import { type FieldError, forbidden, invalid, required } from "../field-error.ts";
import type { LabelSelector, LabelSelectorRequirement } from "../generated/meta-v1.ts";
import { type LabelRequirement, type LabelSelection, nothing, selectionOf } from "./label-selector.ts";
import { labelValueProblems, qualifiedNameProblems, validateLabels } from "./label-syntax.ts";

/** A selection, or why the selector is invalid. */
export type CompiledLabelSelector =
  | { readonly ok: true; readonly selection: LabelSelection }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Makes an API object's selector ready to match: an absent one selects nothing, an empty one everything. */
export function compileLabelSelector(
  selector: LabelSelector | null | undefined,
  path = "selector",
): CompiledLabelSelector {
  if (selector === undefined || selector === null) return { ok: true, selection: nothing };
  const errors = validateLabelSelector(selector, path);
  if (errors.length > 0) return { ok: false, errors };
  const exact = Object.entries(selector.matchLabels ?? {}).map(([key, value]): LabelRequirement => ({
    operator: "=",
    key,
    value,
  }));
  return {
    ok: true,
    selection: selectionOf([...exact, ...(selector.matchExpressions ?? []).map(requirementOf)]),
  };
}

/** Variant for a plain map of labels (Services, ReplicationControllers): absent or empty, it selects nothing. */
export function compileLabelMap(labels: Readonly<Record<string, string>> | null | undefined): LabelSelection {
  const exact = Object.entries(labels ?? {}).map(([key, value]): LabelRequirement => ({
    operator: "=",
    key,
    value,
  }));
  return exact.length === 0 ? nothing : selectionOf(exact);
}

/** Validates a selector as part of an object; the path is the selector's own. */
export function validateLabelSelector(
  selector: LabelSelector | null | undefined,
  path: string,
): FieldError[] {
  const expressions = selector?.matchExpressions ?? [];
  return [
    ...validateLabels(selector?.matchLabels, `${path}.matchLabels`),
    ...expressions.flatMap((expression, index) =>
      validateLabelRequirement(expression, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

/** Validates one requirement of a selector. */
export function validateLabelRequirement(
  { key, operator, values }: LabelSelectorRequirement,
  path: string,
): FieldError[] {
  const errors = validateOperator(operator, (values ?? []).length, path);
  for (const problem of qualifiedNameProblems(key)) errors.push(invalid(`${path}.key`, key, problem));
  for (const [index, value] of (values ?? []).entries()) {
    for (const problem of labelValueProblems(value))
      errors.push(invalid(`${path}.values[${index}]`, value, problem));
  }
  return errors;
}

/** Validates that an operator of a requirement is known, and has values exactly where it takes some. */
export function validateOperator(operator: string, count: number, path: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return count > 0
        ? []
        : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return count === 0
        ? []
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
  }
}

const operators: ReadonlyMap<string, "in" | "notin"> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
]);

function requirementOf({ key, operator, values }: LabelSelectorRequirement): LabelRequirement {
  const set = operators.get(operator);
  if (set !== undefined) return { operator: set, key, values: values ?? [] };
  return { operator: operator === "Exists" ? "exists" : "absent", key };
}
