import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import { scaledValue } from "../../api/int-or-string.ts";

/** How many nodes a rolling update may change at once; one of both is 0. */
export interface UpdateBudget {
  readonly maxUnavailable: number;
  readonly maxSurge: number;
}

/** Whether Pods are replaced as the template changes, or only once a user deletes them. */
export function isRollingUpdate({ spec }: DaemonSet): boolean {
  return (spec?.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/** Resolves the budget of a DaemonSet; percentages round up, and one Pod may be unavailable if nothing else may. */
export function updateBudget(daemonSet: DaemonSet, desired: number): UpdateBudget {
  const maxSurge = scaled(daemonSet, "maxSurge", desired);
  const maxUnavailable = scaled(daemonSet, "maxUnavailable", desired);
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

/** Whether a node may have a new Pod next to its old one, however many nodes there are (upstream: AllowsSurge). */
export function allowsSurge(daemonSet: DaemonSet): boolean {
  return isRollingUpdate(daemonSet) && scaled(daemonSet, "maxSurge", 1) > 0;
}

function scaled({ spec }: DaemonSet, name: keyof UpdateBudget, desired: number): number {
  const { [name]: given = name === "maxUnavailable" ? 1 : 0 } = spec?.updateStrategy?.rollingUpdate ?? {};
  return Math.max(0, scaledValue(given, desired, "up") ?? 0);
}
