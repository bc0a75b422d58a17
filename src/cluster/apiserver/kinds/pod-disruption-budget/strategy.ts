import { invalid } from "../../../../api/field-error.ts";
import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from "../../../../api/generated/policy-v1.ts";
import { type FieldErrors, none, nonNegative, supported } from "../../../../api/field-checks.ts";
import { withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateSelector } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";
import { atMostAll, countOrPercent } from "../workload/count-or-percent.ts";

const counted = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;

/** The strategy of PodDisruptionBudgets. */
export const podDisruptionBudgetStrategy: KindStrategy<Sent<PodDisruptionBudget>> = {
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }) {
    const policies = ["AlwaysAllow", "IfHealthyBudget"];
    return [
      ...validateBudget(spec),
      ...validateSelector(spec.selector, "spec.selector"),
      ...supported(spec.unhealthyPodEvictionPolicy, "spec.unhealthyPodEvictionPolicy", policies),
    ];
  },
  validateStatusUpdate({ next }) {
    return counted.flatMap((member) => nonNegative(next.status?.[member], `status.${member}`));
  },
  needsComponent: true,
  generation: "spec",
};

function validateBudget(spec: Sent<PodDisruptionBudgetSpec>): FieldErrors {
  const { minAvailable, maxUnavailable } = spec;
  const isBoth = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(isBoth ? [invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set")] : none),
    ...validateAmount(minAvailable, "spec.minAvailable"),
    ...validateAmount(maxUnavailable, "spec.maxUnavailable"),
  ];
}

function validateAmount(amount: number | string | undefined, path: string): FieldErrors {
  return amount === undefined ? none : [...countOrPercent(amount, path), ...atMostAll(amount, path)];
}
