import { findCondition, isConditionTrue } from "./conditions.ts";
import type { Pod } from "./generated/core-v1.ts";
import { isBeingDeleted } from "./object.ts";
import { type Instant, parseTime } from "./time.ts";

/** The annotation of a mirror Pod, which stands for a static Pod of a kubelet. */
export const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Whether the phase is Succeeded or Failed: no container will run again. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Neither terminal nor being deleted: what counts towards a workload's replicas. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isBeingDeleted(pod);
}

/** Being deleted and not terminal: what `terminatingReplicas` counts. */
export function isTerminating(pod: Pod): boolean {
  return !isTerminal(pod) && isBeingDeleted(pod);
}

/** When the deletion of a Pod began: its timestamp says when the grace period ends. */
export function deletionBeganAt({ metadata }: Pod): Instant | undefined {
  const ends = parseTime(metadata.deletionTimestamp);
  return ends === undefined ? undefined : ends - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}

/** Whether the Ready condition is `True`, whatever the phase. */
export function isReady(pod: Pod): boolean {
  return isConditionTrue(pod.status?.conditions, "Ready");
}

/** When the Pod last became Ready; `undefined` when it is not Ready, or the time is missing. */
export function readySince(pod: Pod): Instant | undefined {
  const ready = findCondition(pod.status?.conditions, "Ready");
  return ready?.status === "True" ? parseTime(ready.lastTransitionTime) : undefined;
}

/** Ready for at least `minReadySeconds`. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: Instant): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}
