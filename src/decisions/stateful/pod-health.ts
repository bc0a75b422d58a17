import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isAvailable, isReady, isTerminal, readySince } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import { podRevisionLabel } from "../revisions/draft-revision.ts";

/** The health of a Pod, as ordering and updates need it. */
export type PodHealth =
  | { readonly kind: "ended"; readonly phase: string; readonly isTerminating: boolean }
  | { readonly kind: "terminating" }
  | { readonly kind: "not-ready"; readonly phase: string }
  /** Ready, but not for `minReadySeconds` yet; `until` is absent if its condition does not say since when. */
  | { readonly kind: "not-available"; readonly until?: Instant }
  | { readonly kind: "available" };

/** What decides whether a Pod is available. */
export interface Availability {
  readonly minReadySeconds: number;
  readonly now: Instant;
}

const available: PodHealth = { kind: "available" };
const terminating: PodHealth = { kind: "terminating" };

export function podHealthOf(pod: Pod, { minReadySeconds, now }: Availability): PodHealth {
  const isTerminating = isBeingDeleted(pod);
  const phase = phaseOf(pod);
  if (isTerminal(pod)) return { kind: "ended", phase, isTerminating };
  if (isTerminating) return terminating;
  if (!isRunningAndReady(pod)) return { kind: "not-ready", phase };
  if (isAvailable(pod, minReadySeconds, now)) return available;
  const since = readySince(pod);
  return { kind: "not-available", ...(since !== undefined && { until: since + minReadySeconds * 1000 }) };
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isReady(pod);
}

/** The phase; one without, which an API server does not store, counts as Pending. */
export function phaseOf(pod: Pod): string {
  return pod.status?.phase ?? "Pending";
}

/** The name of the revision that a Pod was created from. */
export function revisionOfPod(pod: Pod): string | undefined {
  return pod.metadata?.labels?.[podRevisionLabel];
}
