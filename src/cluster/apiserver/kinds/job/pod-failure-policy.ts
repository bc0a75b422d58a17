import { duplicate, invalid, required, tooMany } from "../../../../api/field-error.ts";
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from "../../../../api/generated/batch-v1.ts";
import type { PodSpec } from "../../../../api/generated/core-v1.ts";
import { each, type FieldErrors, none, supported } from "../../../../api/field-checks.ts";
import { validateLabelKey } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";

const maxRules = 20;
const maxPatterns = 20;
const maxExitCodes = 255;
const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

/** Validates the reaction of a Job to single failures of its Pods. */
export function validatePodFailurePolicy(spec: Sent<JobSpec>, path: string): FieldErrors {
  const { rules = [] } = spec.podFailurePolicy ?? {};
  return [
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : none),
    ...each(rules, `${path}.rules`, (rule, at) => validateRule(rule, at, spec)),
  ];
}

function validateRule(rule: Sent<PodFailurePolicyRule>, path: string, spec: Sent<JobSpec>): FieldErrors {
  const { onExitCodes, onPodConditions = [] } = rule;
  return [
    ...validateAction(rule.action, `${path}.action`, spec),
    ...(onExitCodes === undefined ? none : validateExitCodes(onExitCodes, `${path}.onExitCodes`, spec)),
    ...(onPodConditions.length > maxPatterns
      ? [tooMany(`${path}.onPodConditions`, onPodConditions.length, maxPatterns)]
      : none),
    ...each(onPodConditions, `${path}.onPodConditions`, ({ type, status }, at) => [
      ...validateLabelKey(type, `${at}.type`),
      ...oneOf(status, `${at}.status`, ["False", "True", "Unknown"]),
    ]),
    ...validateRequirements(onExitCodes !== undefined, onPodConditions.length > 0, path),
  ];
}

function validateAction(action: string | undefined, path: string, spec: Sent<JobSpec>): FieldErrors {
  if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined)
    return [invalid(path, action, "requires the backoffLimitPerIndex to be set")];
  return oneOf(action, path, actions);
}

function validateRequirements(byExitCode: boolean, byCondition: boolean, path: string): FieldErrors {
  if (byExitCode !== byCondition) return none;
  const rule = byExitCode
    ? "specifying both OnExitCodes and OnPodConditions is not supported"
    : "specifying one of OnExitCodes and OnPodConditions is required";
  return [invalid(path, undefined, rule)];
}

function validateExitCodes(
  { containerName, operator, values = [] }: Sent<PodFailurePolicyOnExitCodesRequirement>,
  path: string,
  { template }: Sent<JobSpec>,
): FieldErrors {
  const seen = new Set<number>();
  return [
    ...oneOf(operator, `${path}.operator`, ["In", "NotIn"]),
    ...validateContainerName(containerName, `${path}.containerName`, template?.spec ?? {}),
    ...(values.length === 0 ? [invalid(`${path}.values`, values, "at least one value is required")] : none),
    ...(values.length > maxExitCodes ? [tooMany(`${path}.values`, values.length, maxExitCodes)] : none),
    ...each(values, `${path}.values`, (value, at) => {
      const isRepeated = seen.has(value);
      seen.add(value);
      return [
        ...(operator === "In" && value === 0
          ? [invalid(at, value, "must not be 0 for the In operator")]
          : none),
        ...(isRepeated ? [duplicate(at, value)] : none),
      ];
    }),
    ...(isAscending(values) ? none : [invalid(`${path}.values`, values, "must be ordered")]),
  ];
}

function validateContainerName(name: string | undefined, path: string, spec: Sent<PodSpec>): FieldErrors {
  const { containers = [], initContainers = [] } = spec;
  if (name === undefined || [...containers, ...initContainers].some((container) => container.name === name))
    return none;
  return [invalid(path, name, "must be one of the container or initContainer names in the pod template")];
}

function isAscending(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);
}

function oneOf(text: string | undefined, path: string, words: readonly string[]): FieldErrors {
  if (text !== undefined && text !== "") return supported(text, path, words);
  return [required(path, `valid values: [${words.map((word) => JSON.stringify(word)).join(" ")}]`)];
}
