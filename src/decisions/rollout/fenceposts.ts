import type { RollingUpdateDeployment } from "../../api/generated/apps-v1.ts";
import { type IntOrString, scaledValue } from "../../api/int-or-string.ts";
import { countOf } from "./counts.ts";

/** How far a rolling update may stray from the wanted number of Pods, upwards and downwards. */
export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/**
 * Resolves the pair against a number of replicas; `undefined` when one of them is neither a number nor a percentage.
 * The surge rounds up and the unavailable down; a pair of zeros could never move, so one Pod may then be missing.
 */
export function resolveFenceposts(limits: RollingUpdateDeployment, replicas: number): Fenceposts | undefined {
  const maxSurge = resolve(limits.maxSurge, replicas, "up");
  const maxUnavailable = resolve(limits.maxUnavailable, replicas, "down");
  if (maxSurge === undefined || maxUnavailable === undefined) return undefined;
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

function resolve(value: IntOrString | undefined, replicas: number, round: "up" | "down"): number | undefined {
  const scaled = scaledValue(value, replicas, round);
  return scaled === undefined || scaled < 0 ? undefined : countOf(scaled);
}
