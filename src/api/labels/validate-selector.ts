import { invalid } from "../field-error.ts";
import type { LabelSelector } from "../generated/meta-v1.ts";
import { validateLabelSelector } from "./compile-label-selector.ts";
import { qualifiedNameProblems } from "./label-syntax.ts";
import type { FieldErrors } from "../field-checks.ts";
import type { Sent } from "../sent.ts";

/** A selector whose requirements have empty texts for missing keys and operators. */
export function completeSelector(selector: Sent<LabelSelector>): LabelSelector {
  const { matchExpressions, ...rest } = selector;
  if (matchExpressions === undefined) return rest;
  return {
    ...rest,
    matchExpressions: matchExpressions.map((expression) => ({ key: "", operator: "", ...expression })),
  };
}

/** Validates a selector; whether one is required is up to the caller. */
export function validateSelector(selector: Sent<LabelSelector> | undefined, path: string): FieldErrors {
  return selector === undefined ? [] : validateLabelSelector(completeSelector(selector), path);
}

/** Whether a selector has no requirement at all. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: Sent<LabelSelector>): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** Validates the key of a label. */
export function validateLabelKey(key: string | undefined, path: string): FieldErrors {
  const text = key ?? "";
  return qualifiedNameProblems(text).map((problem) => invalid(path, text, problem));
}
