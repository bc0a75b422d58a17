import type { Pod } from "./generated/core-v1.ts";

/** The annotation with the deletion cost of a Pod. */
export const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

// Leading zeros are refused in positive numbers only; Kubernetes accepts "-05" and "-0".
const wholeNumber = /^(0|[1-9][0-9]*|-[0-9]+)$/;

const lowest = -(2 ** 31);
const highest = 2 ** 31 - 1;

/** Reads a deletion cost, a signed 32-bit number; anything else is `undefined`. */
export function parseDeletionCost(text: string): number | undefined {
  if (!wholeNumber.test(text)) return undefined;
  const cost = Number(text);
  // Adding 0 turns -0 into 0, so that it is shown as 0.
  return cost >= lowest && cost <= highest ? cost + 0 : undefined;
}

/** The deletion cost of a Pod: a signed 32-bit number; anything else, or no annotation, costs 0. */
export function deletionCost(pod: Pod): number {
  const text: unknown = pod.metadata?.annotations?.[deletionCostAnnotation];
  return typeof text === "string" ? (parseDeletionCost(text) ?? 0) : 0;
}
