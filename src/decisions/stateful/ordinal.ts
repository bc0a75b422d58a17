import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";

/** The ordinals that a StatefulSet asks for: from `start`, as many as there are replicas. */
export interface OrdinalRange {
  readonly start: number;
  readonly replicas: number;
}

/** The labels of Pods with their name and ordinal, for Services and for the environment of containers. */
export const podNameLabel = "statefulset.kubernetes.io/pod-name";
export const podIndexLabel = "apps.kubernetes.io/pod-index";

const highestOrdinal = 2 ** 31 - 1;

/** Returns the ordinals of a set; a malformed count is read as the default. */
export function rangeOf({ spec }: StatefulSet): OrdinalRange {
  return { start: countOr(spec?.ordinals?.start, 0), replicas: countOr(spec?.replicas, 1) };
}

export function isInRange({ start, replicas }: OrdinalRange, ordinal: number): boolean {
  return ordinal >= start && ordinal < start + replicas;
}

/** The name of the Pod with an ordinal, which is its hostname too. */
export function statefulPodName({ metadata }: StatefulSet, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

/**
 * The ordinal of a set's Pod; `undefined` for the Pod of another name. `web-01` is no member: the Pod with ordinal 1 is
 * called `web-1`, and two Pods would have that ordinal.
 */
export function ordinalOf({ metadata }: StatefulSet, pod: Pod): number | undefined {
  const name: unknown = pod?.metadata?.name;
  const prefix = `${metadata?.name}-`;
  if (typeof name !== "string" || !name.startsWith(prefix)) return undefined;
  const digits = name.slice(prefix.length);
  if (!/^(0|[1-9][0-9]{0,9})$/.test(digits)) return undefined;
  const ordinal = Number(digits);
  return ordinal <= highestOrdinal ? ordinal : undefined;
}

function countOr(value: unknown, absent: number): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : absent;
}
