import type { Pod } from "../../api/generated/core-v1.ts";

/** The annotation by which a person says what losing a Pod would cost. */
export const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

// Leading zeros are refused in positive numbers only; Kubernetes accepts "-05" and "-0".
const wholeNumber = /^(0|[1-9][0-9]*|-[0-9]+)$/;

const lowest = -(2 ** 31);
const highest = 2 ** 31 - 1;

/** The cost a Pod claims: a signed 32-bit number; anything else, or no annotation, costs 0. */
export function deletionCost(pod: Pod): number {
  const text: unknown = pod.metadata?.annotations?.[deletionCostAnnotation];
  if (typeof text !== "string" || !wholeNumber.test(text)) return 0;
  const cost = Number(text);
  // Adding 0 turns -0 into 0, which is what a person would be shown.
  return cost >= lowest && cost <= highest ? cost + 0 : 0;
}
