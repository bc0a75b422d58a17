import { deletionCostAnnotation, parseDeletionCost } from "../../api/deletion-cost.ts";
import type { Pod } from "../../api/generated/core-v1.ts";

/** The deletion cost of a Pod: a signed 32-bit number; anything else, or no annotation, costs 0. */
export function deletionCost(pod: Pod): number {
  const text: unknown = pod.metadata?.annotations?.[deletionCostAnnotation];
  return typeof text === "string" ? (parseDeletionCost(text) ?? 0) : 0;
}
