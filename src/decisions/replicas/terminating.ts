import type { Pod } from "../../api/generated/core-v1.ts";
import { isTerminating } from "../../api/pod-state.ts";
import { type Claimant, claimOf } from "../../api/claim.ts";

/** How many of the Pods are an owner's and ending. */
export function countTerminating(pods: readonly Pod[], claimant: Claimant): number {
  return pods.filter((pod) => isTerminating(pod) && claimOf(pod, claimant) === "ours").length;
}
