import { notSupported } from "../../field-error.ts";
import type { JobSpec } from "../../generated/batch-v1.ts";
import { fillAbsent, mapMembers } from "../defaulting.ts";
import { type FieldErrors, none, nonNegative, supported } from "../field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";
import { templateDefaults, validateTemplate } from "../workload/pod-template.ts";

const unlimited = 2 ** 31 - 1;

/** A Job's spec with its defaults, on its own or in a CronJob. */
export function jobSpecDefaults(spec: Sent<JobSpec>): Sent<JobSpec> {
  const isSingle = spec.completions === undefined && spec.parallelism === undefined;
  const filled = fillAbsent(isSingle ? { ...spec, completions: 1 } : spec, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : unlimited,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed",
    manualSelector: false,
    template: {},
  });
  return mapMembers(filled, { template: templateDefaults });
}

const countedMembers = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
] as const;

/** A Job's spec, and the one it replaces. */
interface JobSpecs {
  readonly spec: Sent<JobSpec>;
  readonly stored: Sent<JobSpec> | undefined;
}

/** Validates a Job's spec, on its own or in a CronJob. */
export function validateJobSpec(
  { spec, stored }: JobSpecs,
  path: string,
  context: StrategyContext,
): FieldErrors {
  const { template = {}, completionMode } = spec;
  const policy = template.spec?.restartPolicy ?? "";
  const at = `${path}.template`;
  const ends = policy === "OnFailure" || policy === "Never";
  return [
    ...countedMembers.flatMap((member) => nonNegative(spec[member], `${path}.${member}`)),
    ...supported(completionMode, `${path}.completionMode`, ["NonIndexed", "Indexed"]),
    ...validateTemplate({ template, stored: stored?.template }, at, context),
    ...(ends ? none : [notSupported(`${at}.spec.restartPolicy`, policy, ["OnFailure", "Never"])]),
  ];
}
