import type { Taint, Toleration } from "../../../api/generated/core-v1.ts";
import { itemsOf, stringOf } from "./reading.ts";
import type { PodInfo } from "./pod-info.ts";

/** The effects of taints that matter to placement. */
const keepsAway: ReadonlySet<string> = new Set(["NoSchedule", "NoExecute"]);

/** The tolerations of a Pod. */
export function tolerationsOf({ pod }: PodInfo): readonly Toleration[] {
  return itemsOf(pod.spec?.tolerations);
}

/** Whether one of the tolerations covers a taint. */
export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}

/** The first NoSchedule or NoExecute taint that no toleration covers (upstream: FindMatchingUntoleratedTaint). */
export function findUntoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Taint | undefined {
  return taints.find((taint) => keepsAway.has(taint.effect) && !isTolerated(taint, tolerations));
}

/** An empty effect or key matches any. */
function tolerates(toleration: Toleration, taint: Taint): boolean {
  const effect = stringOf(toleration.effect);
  const key = stringOf(toleration.key);
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  switch (stringOf(toleration.operator)) {
    case "":
    case "Equal":
      return stringOf(toleration.value) === stringOf(taint.value);
    case "Exists":
      return true;
    default:
      return false;
  }
}
