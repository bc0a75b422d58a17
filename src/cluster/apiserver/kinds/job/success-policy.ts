import {
  completionIndexesProblem,
  countIndexes,
  parseCompletionIndexes,
} from "../../../../api/completion-indexes.ts";
import { invalid, required, tooLong, tooMany } from "../../../../api/field-error.ts";
import type { JobSpec, SuccessPolicyRule } from "../../../../api/generated/batch-v1.ts";
import { each, type FieldErrors, none, nonNegative } from "../../../../api/field-checks.ts";
import type { Sent } from "../../../../api/sent.ts";

const maxRules = 20;
const maxIndexesLength = 64 * 1024;

/** Validates which indexes have to succeed for a Job to succeed. */
export function validateSuccessPolicy(spec: Sent<JobSpec>, path: string): FieldErrors {
  const { successPolicy, completions = 0 } = spec;
  if (successPolicy === undefined) return none;
  if (spec.completionMode !== "Indexed")
    return [invalid(path, successPolicy, "requires indexed completion mode")];
  const { rules = [] } = successPolicy;
  const empty = "at least one rules must be specified when the successPolicy is specified";
  return [
    ...(rules.length === 0 ? [required(`${path}.rules`, empty)] : none),
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : none),
    ...each(rules, `${path}.rules`, (rule, at) => validateRule(rule, at, completions)),
  ];
}

function validateRule(rule: Sent<SuccessPolicyRule>, path: string, completions: number): FieldErrors {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededCount === undefined && succeededIndexes === undefined)
    return [required(path, "at least one of succeededCount or succeededIndexes must be specified")];
  return [
    ...validateIndexes(succeededIndexes, `${path}.succeededIndexes`, completions),
    ...validateCount(rule, `${path}.succeededCount`, completions),
  ];
}

function validateIndexes(indexes: string | undefined, path: string, completions: number): FieldErrors {
  if (indexes === undefined) return none;
  if (indexes.length > maxIndexesLength) return [tooLong(path, maxIndexesLength)];
  const problem = completionIndexesProblem(indexes, completions);
  return problem === undefined
    ? none
    : [invalid(path, indexes, `error parsing succeededIndexes: ${problem}`)];
}

function validateCount(rule: Sent<SuccessPolicyRule>, path: string, completions: number): FieldErrors {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined) return none;
  const listed = indexes === undefined ? count : countIndexes(parseCompletionIndexes(indexes, completions));
  const atMost = "must be less than or equal to";
  const ofIndexes = `(the number of indexes in the specified succeededIndexes field)`;
  return [
    ...nonNegative(count, path),
    ...(count > completions
      ? [invalid(path, count, `${atMost} ${completions} (the number of specified completions)`)]
      : none),
    ...(count > listed ? [invalid(path, count, `${atMost} ${listed} ${ofIndexes}`)] : none),
  ];
}
