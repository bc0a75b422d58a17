import type { Pod } from "../../../api/generated/core-v1.ts";
import type { PodDisruptionBudgetSpec } from "../../../api/generated/policy-v1.ts";
import { type IntOrString, scaledValue } from "../../../api/int-or-string.ts";

/** The controller of a Pod and how many Pods it should have; a controller without a scale is a problem. */
export type PodController =
  | { readonly found: "scale"; readonly uid: string; readonly replicas: number }
  | { readonly found: "unmanaged" }
  | { readonly found: "problem"; readonly problem: string };

/** How many Pods a budget covers and how many of them should be healthy, or why that is not known. */
export type ExpectedPods =
  | {
      readonly ok: true;
      readonly expectedPods: number;
      readonly desiredHealthy: number;
      /** Pods without a controller, which are not in a count that comes from controllers. */
      readonly unmanaged: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/**
 * Counts the Pods of a budget: the existing ones if it sets a number of available Pods, otherwise the scale of their
 * controllers.
 */
export function expectedPodsOf(
  { minAvailable, maxUnavailable }: PodDisruptionBudgetSpec,
  pods: readonly Pod[],
  controllerOf: (pod: Pod) => PodController,
): ExpectedPods {
  const bound = maxUnavailable ?? minAvailable ?? undefined;
  if (bound === undefined) return { ok: true, expectedPods: 0, desiredHealthy: 0, unmanaged: [] };
  if (typeof bound === "number" && maxUnavailable === undefined)
    return { ok: true, expectedPods: pods.length, desiredHealthy: bound, unmanaged: [] };
  const scale = totalScale(pods, controllerOf);
  if (!scale.ok) return scale;
  const { total, unmanaged } = scale;
  const count = scaledValue(bound, total, "up");
  if (count === undefined) return { ok: false, problem: invalidBound(bound) };
  const desiredHealthy = maxUnavailable === undefined ? count : Math.max(0, total - count);
  return { ok: true, expectedPods: total, desiredHealthy, unmanaged };
}

function invalidBound(bound: IntOrString): string {
  return `invalid value for IntOrString: invalid type: string is not a percentage: ${JSON.stringify(bound)}`;
}

type TotalScale =
  | { readonly ok: true; readonly total: number; readonly unmanaged: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Sums the scale of the Pods' controllers, each controller once. */
function totalScale(pods: readonly Pod[], controllerOf: (pod: Pod) => PodController): TotalScale {
  const scales = new Map<string, number>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const controller = controllerOf(pod);
    switch (controller.found) {
      case "scale":
        scales.set(controller.uid, controller.replicas);
        break;
      case "unmanaged":
        unmanaged.push(pod.metadata.name);
        break;
      case "problem":
        return { ok: false, problem: controller.problem };
    }
  }
  const total = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  return { ok: true, total, unmanaged };
}
