import { invalid, notSupported, required } from "../../../../api/field-error.ts";
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "../../../../api/generated/autoscaling-v2.ts";
import { parseQuantity } from "../../../../api/quantity/quantity.ts";
import { fillAbsent } from "../../../../api/defaulting.ts";
import { each, type FieldErrors, none, supported } from "../../../../api/field-checks.ts";
import type { Sent } from "../../../../api/sent.ts";

type Rules = Sent<HPAScalingRules>;

const maxPeriodSeconds = 1800;
const maxStabilizationWindowSeconds = 3600;

/** How fast an autoscaler adds Pods by default: four or twice as many in 15 s, whichever is more. */
const defaultScaleUp: Rules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};

/** How fast an autoscaler removes Pods by default; the window is the controller's own. */
const defaultScaleDown: Rules = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

/** Fills in both directions of an autoscaler that has a behavior. */
export function withDefaultRules(
  behavior: Sent<HorizontalPodAutoscalerBehavior>,
): Sent<HorizontalPodAutoscalerBehavior> {
  const scaleUp = fillAbsent(behavior.scaleUp ?? defaultScaleUp, defaultScaleUp);
  const scaleDown = fillAbsent(behavior.scaleDown ?? defaultScaleDown, defaultScaleDown);
  const isFilled = scaleUp === behavior.scaleUp && scaleDown === behavior.scaleDown;
  return isFilled ? behavior : { ...behavior, scaleUp, scaleDown };
}

/** Validates the rules of both directions. */
export function validateBehavior(
  behavior: Sent<HorizontalPodAutoscalerBehavior> | undefined,
  path: string,
): FieldErrors {
  return [
    ...validateRules(behavior?.scaleUp, `${path}.scaleUp`),
    ...validateRules(behavior?.scaleDown, `${path}.scaleDown`),
  ];
}

function validateRules(rules: Rules | undefined, path: string): FieldErrors {
  if (rules === undefined) return none;
  const { policies = [], selectPolicy } = rules;
  return [
    ...validateWindow(rules.stabilizationWindowSeconds ?? 0, `${path}.stabilizationWindowSeconds`),
    ...supported(selectPolicy, `${path}.selectPolicy`, ["Disabled", "Max", "Min"]),
    ...(policies.length === 0 ? [required(`${path}.policies`, "must specify at least one Policy")] : none),
    ...each(policies, `${path}.policies`, validatePolicy),
    ...validateTolerance(rules.tolerance, `${path}.tolerance`),
  ];
}

function validateWindow(seconds: number, path: string): FieldErrors {
  if (seconds < 0) return [invalid(path, seconds, "must be greater than or equal to zero")];
  return seconds > maxStabilizationWindowSeconds
    ? [invalid(path, seconds, `must be less than or equal to ${maxStabilizationWindowSeconds}`)]
    : none;
}

function validatePolicy(
  { type = "", value = 0, periodSeconds = 0 }: Sent<HPAScalingPolicy>,
  path: string,
): FieldErrors {
  const types = ["Percent", "Pods"];
  const at = `${path}.periodSeconds`;
  return [
    ...(types.includes(type) ? none : [notSupported(`${path}.type`, type, types)]),
    ...(value > 0 ? none : [invalid(`${path}.value`, value, "must be greater than zero")]),
    ...(periodSeconds > 0 ? none : [invalid(at, periodSeconds, "must be greater than zero")]),
    ...(periodSeconds > maxPeriodSeconds
      ? [invalid(at, periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`)]
      : none),
  ];
}

function validateTolerance(tolerance: string | number | undefined, path: string): FieldErrors {
  const quantity = parseQuantity(tolerance);
  return quantity === undefined || quantity.nanos >= 0n
    ? none
    : [invalid(path, tolerance, "must be greater than or equal to 0")];
}
