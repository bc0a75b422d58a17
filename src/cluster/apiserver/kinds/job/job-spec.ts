import { invalid, notSupported, required, tooLong } from "../../../../api/field-error.ts";
import type { JobSpec } from "../../../../api/generated/batch-v1.ts";
import { qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import { eachItem, fillAbsent, fillEmpty, mapMembers } from "../../../../api/defaulting.ts";
import { type FieldErrors, none, nonNegative, supported } from "../../../../api/field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { templateDefaults, validateTemplate } from "../workload/pod-template.ts";
import { validatePodFailurePolicy } from "./pod-failure-policy.ts";
import { validateSuccessPolicy } from "./success-policy.ts";

const unlimited = 2 ** 31 - 1;

/** Returns a Job's spec with its defaults. */
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

/** Returns the defaults that a Job's spec already has in the template of a CronJob. */
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
const maxFailedIndexes = 100_000;
/** Above this number of completions, fewer indexes may run and fail at a time, because the status lists them. */
const manyCompletions = 100_000;
const maxOfMany = 10_000;

function validateCompletionMode(spec: Sent<JobSpec>, path: string): FieldErrors {
  const alone =
    spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")]
      : none;
  if (spec.completionMode === "Indexed") return [...alone, ...validateIndexed(spec, path)];
  const perIndex = ["backoffLimitPerIndex", "maxFailedIndexes"] as const;
  const rule = "requires indexed completion mode";
  const given = perIndex.filter((member) => spec[member] !== undefined);
  return [...alone, ...given.map((member) => invalid(`${path}.${member}`, spec[member], rule))];
}

type Limited = "parallelism" | "maxFailedIndexes";

function validateIndexed(spec: Sent<JobSpec>, path: string): FieldErrors {
  const { completions } = spec;
  const atMost = (member: Limited, limit: number, rule = `${limit}`) =>
    (spec[member] ?? 0) > limit
      ? [invalid(`${path}.${member}`, spec[member], `must be less than or equal to ${rule}`)]
      : none;
  const isMany = (completions ?? 0) > manyCompletions && spec.backoffLimitPerIndex !== undefined;
  const ofMany = `${maxOfMany} when completions are above ${manyCompletions} and used with backoff limit per index`;
  const unlimitedFailures = `must be specified when completions is above ${manyCompletions}`;
  return [
    ...(completions === undefined
      ? [required(`${path}.completions`, "when completion mode is Indexed")]
      : none),
    ...atMost(
      "parallelism",
      maxParallelismOfIndexed,
      `${maxParallelismOfIndexed} when completion mode is Indexed`,
    ),
    ...atMost("maxFailedIndexes", completions ?? unlimited, "completions"),
    ...atMost("maxFailedIndexes", maxFailedIndexes),
    ...(isMany && spec.maxFailedIndexes === undefined
      ? [required(`${path}.maxFailedIndexes`, unlimitedFailures)]
      : none),
    ...(isMany ? atMost("parallelism", maxOfMany, ofMany) : none),
    ...(isMany ? atMost("maxFailedIndexes", maxOfMany, ofMany) : none),
  ];
}

/** Returns warnings about a Job's spec, on its own or in a CronJob. */
export function jobSpecWarnings(spec: Sent<JobSpec> | undefined, path: string): readonly string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  if (completionMode !== "Indexed" || completions <= manyCompletions || parallelism <= maxOfMany) return [];
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  ];
}

function validateReplacementPolicy(spec: Sent<JobSpec>, path: string): FieldErrors {
  const policies = spec.podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  return supported(spec.podReplacementPolicy, path, policies);
}

/** Validates the restart policy; an absent one defaults to Always. */
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
