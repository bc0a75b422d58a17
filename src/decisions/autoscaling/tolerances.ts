import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from "../../api/generated/autoscaling-v2.ts";
import { parseQuantity } from "../../api/quantity/quantity.ts";

/** How far a metric may be from its target before the number of Pods changes, as shares of the target. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** What holds in both directions unless an autoscaler says otherwise (upstream: --horizontal-pod-autoscaler-tolerance). */
const defaultTolerance = 0.1;

/** The tolerances of an autoscaler. */
export function tolerancesOf(behavior: HorizontalPodAutoscalerBehavior | undefined): Tolerances {
  return { up: toleranceOf(behavior?.scaleUp), down: toleranceOf(behavior?.scaleDown) };
}

function toleranceOf(rules: HPAScalingRules | undefined): number {
  const quantity = parseQuantity(rules?.tolerance);
  return quantity === undefined ? defaultTolerance : Number(quantity.nanos) / 1e9;
}

/** Whether usage, as a multiple of the target, is near enough to change nothing. */
export function isWithinTolerance({ up, down }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}
