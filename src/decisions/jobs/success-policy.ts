import {
  type CompletionIndexes,
  countCommonIndexes,
  countIndexes,
  parseCompletionIndexes,
} from "../../api/completion-indexes.ts";
import type { Job, SuccessPolicyRule } from "../../api/generated/batch-v1.ts";

/** The number of the first rule of a Job's success policy that its succeeded indexes meet. */
export function metSuccessRule({ spec }: Job, succeeded: CompletionIndexes): number | undefined {
  const met = (spec.successPolicy?.rules ?? []).findIndex((rule) =>
    isMet(rule, succeeded, spec.completions ?? 0),
  );
  return met === -1 || succeeded.length === 0 ? undefined : met;
}

function isMet(rule: SuccessPolicyRule, succeeded: CompletionIndexes, completions: number): boolean {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededIndexes === undefined)
    return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
  const wanted = parseCompletionIndexes(succeededIndexes, completions);
  const common = countCommonIndexes(wanted, succeeded);
  return wanted.length > 0 && common >= (succeededCount ?? countIndexes(wanted));
}
