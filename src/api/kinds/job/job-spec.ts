import { invalid, notSupported, required, tooLong } from "../../field-error.ts";
import type { JobSpec } from "../../generated/batch-v1.ts";
import { qualifiedNameProblems } from "../../labels/label-syntax.ts";
import { eachItem, fillAbsent, fillEmpty, mapMembers } from "../defaulting.ts";
import { type FieldErrors, none, nonNegative, supported } from "../field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";
import { templateDefaults, validateTemplate } from "../workload/pod-template.ts";
import { validatePodFailurePolicy } from "./pod-failure-policy.ts";
import { validateSuccessPolicy } from "./success-policy.ts";

const unlimited = 2 ** 31 - 1;

/** A Job's spec with its defaults. */
export function jobSpecDefaults(spec: Sent<JobSpec>): Sent<JobSpec> {
  const isSingle = spec.completions === undefined && spec.parallelism === undefined;
  const filled = fillAbsent(isSingle ? { ...spec, completions: 1 } : spec, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : unlimited,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed",
    manualSelector: false,
  });
  return jobTemplateSpecDefaults(filled);
}

/** The defaults that a Job's spec has already in the template of a CronJob. */
export function jobTemplateSpecDefaults(spec: Sent<JobSpec>): Sent<JobSpec> {
  return mapMembers(fillAbsent(spec, { template: {} }), {
    template: templateDefaults,
    podFailurePolicy: (policy) =>
      mapMembers(policy, {
        rules: eachItem((rule) =>
          mapMembers(rule, {
            onPodConditions: eachItem((pattern) => fillEmpty(pattern, { status: "True" })),
          }),
        ),
      }),
  });
}

const countedMembers = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
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
  context: StrategyContext,
): FieldErrors {
  const { template = {}, completionMode } = spec;
  return [
    ...countedMembers.flatMap((member) => nonNegative(spec[member], `${path}.${member}`)),
    ...validateManagedBy(spec.managedBy, `${path}.managedBy`),
    ...supported(completionMode, `${path}.completionMode`, ["NonIndexed", "Indexed"]),
    ...validateCompletionMode(spec, path),
    ...validatePodFailurePolicy(spec, `${path}.podFailurePolicy`),
    ...validateSuccessPolicy(spec, `${path}.successPolicy`),
    ...validateReplacementPolicy(spec, `${path}.podReplacementPolicy`),
    ...validateTemplate({ template, stored: stored?.template }, `${path}.template`, context),
    ...validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`),
  ];
}

const maxManagedByLength = 63;

function validateManagedBy(managedBy: string | undefined, path: string): FieldErrors {
  if (managedBy === undefined) return none;
  const isPath = managedBy.includes("/") && qualifiedNameProblems(managedBy).length === 0;
  return [
    ...(isPath ? none : [invalid(path, managedBy, 'must be a domain-prefixed path (such as "acme.io/foo")')]),
    ...(managedBy.length > maxManagedByLength ? [tooLong(path, maxManagedByLength)] : none),
  ];
}

const maxParallelismOfIndexed = 100_000;

function validateCompletionMode(spec: Sent<JobSpec>, path: string): FieldErrors {
  const { completions, parallelism, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const alone =
    maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined
      ? [required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")]
      : none;
  if (spec.completionMode !== "Indexed") {
    const perIndex = ["backoffLimitPerIndex", "maxFailedIndexes"] as const;
    const rule = "requires indexed completion mode";
    const given = perIndex.filter((member) => spec[member] !== undefined);
    return [...alone, ...given.map((member) => invalid(`${path}.${member}`, spec[member], rule))];
  }
  const tooParallel = `must be less than or equal to ${maxParallelismOfIndexed} when completion mode is Indexed`;
  const tooMany = "must be less than or equal to completions";
  return [
    ...alone,
    ...(completions === undefined
      ? [required(`${path}.completions`, "when completion mode is Indexed")]
      : none),
    ...((parallelism ?? 0) > maxParallelismOfIndexed
      ? [invalid(`${path}.parallelism`, parallelism, tooParallel)]
      : none),
    ...((maxFailedIndexes ?? 0) > (completions ?? unlimited)
      ? [invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, tooMany)]
      : none),
  ];
}

function validateReplacementPolicy(spec: Sent<JobSpec>, path: string): FieldErrors {
  const policies = spec.podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  return supported(spec.podReplacementPolicy, path, policies);
}

/** Always is what an absent policy becomes by default. */
function validateRestartPolicy({ template, podFailurePolicy }: Sent<JobSpec>, path: string): FieldErrors {
  const { restartPolicy = "Always" } = template?.spec ?? {};
  if (restartPolicy === "Always" || restartPolicy === "")
    return [required(path, 'valid values: "OnFailure", "Never"')];
  if (restartPolicy !== "OnFailure" && restartPolicy !== "Never")
    return [notSupported(path, restartPolicy, ["OnFailure", "Never"])];
  const rule = 'only "Never" is supported when podFailurePolicy is specified';
  return podFailurePolicy === undefined || restartPolicy === "Never"
    ? none
    : [invalid(path, restartPolicy, rule)];
}
