import { notSupported } from "../../field-error.ts";
import type { JobSpec } from "../../generated/batch-v1.ts";
import { type FieldErrors, none, nonNegative, supported } from "../field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import { validateTemplate } from "../pod-template/validate-template.ts";
import type { Sent } from "../sent.ts";

const countedMembers = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
] as const;

/** A Job's spec, and the one it replaces. */
export interface JobSpecs {
  readonly spec: Sent<JobSpec>;
  readonly stored: Sent<JobSpec> | undefined;
}

/** Validates a Job's spec, on its own or in a CronJob. */
export function validateJobSpec(
  { spec, stored }: JobSpecs,
  path: string,
  occasion: StrategyContext,
): FieldErrors {
  const { template = {}, completionMode } = spec;
  const policy = template.spec?.restartPolicy ?? "";
  const at = `${path}.template`;
  const ends = policy === "OnFailure" || policy === "Never";
  return [
    ...countedMembers.flatMap((member) => nonNegative(spec[member], `${path}.${member}`)),
    ...supported(completionMode, `${path}.completionMode`, ["NonIndexed", "Indexed"]),
    ...validateTemplate({ template, stored: stored?.template }, at, occasion),
    ...(ends ? none : [notSupported(`${at}.spec.restartPolicy`, policy, ["OnFailure", "Never"])]),
  ];
}
