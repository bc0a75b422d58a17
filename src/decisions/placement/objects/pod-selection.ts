import { fieldErrorsText } from "../../../api/field-error.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { type Labels, type LabelSelection, matchesLabels } from "../../../api/labels/label-selector.ts";
import { isObject } from "./reading.ts";

/** A selection, or the error text when the selector cannot be parsed. */
export type ReadSelection =
  | { readonly ok: true; readonly selection: LabelSelection }
  | { readonly ok: false; readonly message: string };

/** Parses a selector: an absent one selects nothing, an empty one everything. */
export function readSelector(selector: LabelSelector | null | undefined): ReadSelection {
  if (selector !== undefined && selector !== null && !isWellFormed(selector)) {
    return { ok: false, message: "not a label selector" };
  }
  const compiled = compileLabelSelector(selector, "labelSelector");
  return compiled.ok ? compiled : { ok: false, message: fieldErrorsText(compiled.errors) };
}

/** Whether a Pod with these labels is counted. A selection without requirements counts no Pod, although it matches any. */
export function countsLabels(selection: LabelSelection, labels: Labels): boolean {
  if (selection.selects === "nothing" || selection.requirements.length === 0) return false;
  return matchesLabels(selection, labels);
}

/** A selection as text: requirements are sorted by key already, and the order of values does not matter. */
export function selectionKey(selection: LabelSelection): string {
  if (selection.selects === "nothing") return "nothing";
  return JSON.stringify(
    selection.requirements.map((each) => [
      each.key,
      each.operator,
      "values" in each ? each.values.toSorted() : "value" in each ? each.value : undefined,
    ]),
  );
}

/** Whether every member has its declared type; the values are validated elsewhere. */
function isWellFormed({ matchLabels, matchExpressions }: LabelSelector): boolean {
  const values = isObject(matchLabels) ? Object.values(matchLabels) : [];
  return (
    isAbsentOr(isObject, matchLabels) &&
    values.every(isText) &&
    isAbsentOr(Array.isArray, matchExpressions) &&
    (matchExpressions ?? []).every(
      (expression) =>
        isObject(expression) && isText(expression.key) && isText(expression.operator) && hasTexts(expression),
    )
  );
}

function hasTexts({ values }: { readonly values?: readonly string[] }): boolean {
  return isAbsentOr(Array.isArray, values) && (values ?? []).every(isText);
}

function isAbsentOr(holds: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || value === null || holds(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
