import { forbidden, invalid, notSupported, required } from "../../../../api/field-error.ts";
import type {
  Deployment,
  DeploymentSpec,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "../../../../api/generated/apps-v1.ts";
import { validatePicker } from "../../../../api/pod-picker/validate-picker.ts";
import { type FieldErrors, none, nonNegative } from "../../../../api/field-checks.ts";
import type { ObjectUpdate, StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { amountOf, atMostAll, countOrPercent } from "../workload/count-or-percent.ts";
import { validateSelectorAndTemplate } from "../workload/selector-and-template.ts";
import { type CountRules, validateCollisionCount, validateStatusCounts } from "../workload/status-counts.ts";

const titles = { selector: "deployment", template: "ReplicaSet" };
const policies = ["TerminationComplete", "TerminationStarted"];

/** Validates the spec of a Deployment. */
export function validateDeployment(
  { spec = {} }: Sent<Deployment>,
  context: StrategyContext,
  stored?: Sent<Deployment>,
): FieldErrors {
  return [
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...validateSelectorAndTemplate({ spec, stored: stored?.spec }, titles, context),
    ...validateStrategy(spec.strategy ?? {}, "spec.strategy"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...nonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
    ...validateDeadline(spec),
    ...validatePolicy(spec.podReplacementPolicy),
    ...(spec.downscalePodPicker === undefined
      ? none
      : validatePicker(spec.downscalePodPicker, "spec.downscalePodPicker")),
  ];
}

function validateDeadline({
  progressDeadlineSeconds,
  minReadySeconds = 0,
}: Sent<DeploymentSpec>): FieldErrors {
  if (progressDeadlineSeconds === undefined) return none;
  const path = "spec.progressDeadlineSeconds";
  const short = progressDeadlineSeconds <= minReadySeconds;
  const rule = "must be greater than minReadySeconds";
  return [
    ...nonNegative(progressDeadlineSeconds, path),
    ...(short ? [invalid(path, progressDeadlineSeconds, rule)] : none),
  ];
}

function validatePolicy(policy: string | undefined): FieldErrors {
  if (policy === undefined || policies.includes(policy)) return none;
  return [notSupported("spec.podReplacementPolicy", policy, policies)];
}

const counts: CountRules = {
  counts: [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ],
  atMostReplicas: ["updatedReplicas", "readyReplicas", "availableReplicas"],
};

/** Validates an update of a Deployment's status. */
export function validateDeploymentStatus(update: ObjectUpdate<Sent<Deployment>>): FieldErrors {
  return [...validateStatusCounts(update.next.status ?? {}, counts), ...validateCollisionCount(update)];
}

/** Validates the rollout strategy of a Deployment. */
export function validateStrategy(strategy: Sent<DeploymentStrategy>, path: string): FieldErrors {
  const { type = "", rollingUpdate } = strategy;
  const at = `${path}.rollingUpdate`;
  switch (type) {
    case "Recreate":
      return rollingUpdate === undefined
        ? none
        : [forbidden(at, "may not be specified when strategy `type` is 'Recreate'")];
    case "RollingUpdate":
      return rollingUpdate === undefined
        ? [required(at, "this should be defaulted and never be nil")]
        : validateBudgets(rollingUpdate, at);
    default:
      return [notSupported(path, strategy, ["Recreate", "RollingUpdate"])];
  }
}

function validateBudgets(
  { maxUnavailable = 0, maxSurge = 0 }: Sent<RollingUpdateDeployment>,
  path: string,
): FieldErrors {
  const stuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  const at = `${path}.maxUnavailable`;
  return [
    ...countOrPercent(maxUnavailable, at),
    ...countOrPercent(maxSurge, `${path}.maxSurge`),
    ...(stuck ? [invalid(at, maxUnavailable, "may not be 0 when `maxSurge` is 0")] : none),
    ...atMostAll(maxUnavailable, at),
  ];
}
