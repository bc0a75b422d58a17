import type { Pod } from "../../api/generated/core-v1.ts";
import { isTerminating } from "../../api/pod-state.ts";
import { type Claimant, judgeClaim } from "../ownership/judge-claim.ts";

/** How many of the Pods are an owner's and ending. */
export function countTerminating(pods: readonly Pod[], claimant: Claimant): number {
  return pods.filter((pod) => isTerminating(pod) && judgeClaim(pod, claimant) === "ours").length;
}
