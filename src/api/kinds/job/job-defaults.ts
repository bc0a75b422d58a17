import type { JobSpec } from "../../generated/batch-v1.ts";
import { fillAbsent, mapMembers } from "../defaulting.ts";
import { templateDefaults } from "../pod-template/template-defaults.ts";
import type { Sent } from "../sent.ts";

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
