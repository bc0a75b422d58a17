import { fieldErrorsText } from "../../../api/field-error.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import type { LabelSelection } from "../../../api/labels/label-selector.ts";
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
