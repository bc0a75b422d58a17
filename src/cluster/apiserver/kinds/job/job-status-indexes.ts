import {
  completionIndexesProblem,
  firstCommonIndex,
  parseCompletionIndexes,
} from "../../../../api/completion-indexes.ts";
import { invalid } from "../../../../api/field-error.ts";
import type { Job, JobStatus } from "../../../../api/generated/batch-v1.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { Sent } from "../../../../api/sent.ts";

/** A status, the one it replaces, and their spec. */
export interface StatusChange {
  readonly status: Sent<JobStatus>;
  readonly stored: Sent<JobStatus>;
  readonly spec: Sent<Job["spec"]>;
}

const completedPath = "status.completedIndexes";
const failedPath = "status.failedIndexes";

/**
 * Validates the indexes of an Indexed Job that have completed and failed. Only changes are validated: completions may
 * have been lowered below an index that was right when it was written.
 */
export function validateStatusIndexes(change: StatusChange): FieldErrors {
  const { status, stored } = change;
  const isCompletedNew = (status.completedIndexes ?? "") !== (stored.completedIndexes ?? "");
  const isFailedNew = status.failedIndexes !== stored.failedIndexes;
  return [
    ...(isCompletedNew ? validateCompleted(change) : none),
    ...(isFailedNew ? validateFailed(change) : none),
    ...(isCompletedNew || isFailedNew ? validateOverlap(change) : none),
  ];
}

function validateCompleted({ status: { completedIndexes = "" }, spec }: StatusChange): FieldErrors {
  const rule = "cannot set non-empty completedIndexes when non-indexed completion mode";
  return [
    ...validateFormat(completedIndexes, completedPath, spec.completions),
    ...(completedIndexes === "" || spec.completionMode === "Indexed"
      ? none
      : [invalid(completedPath, completedIndexes, rule)]),
  ];
}

function validateFailed({ status: { failedIndexes }, spec }: StatusChange): FieldErrors {
  if (failedIndexes === undefined) return none;
  if (spec.backoffLimitPerIndex !== undefined)
    return validateFormat(failedIndexes, failedPath, spec.completions);
  const rule = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
  return [invalid(failedPath, failedIndexes, rule)];
}

function validateFormat(indexes: string, path: string, completions: number | undefined): FieldErrors {
  if (completions === undefined) return none;
  const problem = completionIndexesProblem(indexes, completions);
  const member = path.slice("status.".length);
  return problem === undefined ? none : [invalid(path, indexes, `error parsing ${member}: ${problem}`)];
}

function validateOverlap({ status, spec }: StatusChange): FieldErrors {
  const { completedIndexes, failedIndexes } = status;
  if (spec.completions === undefined || failedIndexes === undefined) return none;
  const index = firstCommonIndex(
    parseCompletionIndexes(completedIndexes, spec.completions),
    parseCompletionIndexes(failedIndexes, spec.completions),
  );
  const rule = `failedIndexes and completedIndexes overlap at index: ${index}`;
  return index === undefined ? none : [invalid(failedPath, failedIndexes, rule)];
}
