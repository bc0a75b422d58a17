import { findCondition } from "../../api/conditions.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { type Instant, parseTime } from "../../api/time.ts";

/** The values of one metric of Pods, which were measured together. */
export interface PodSamples {
  readonly timestamp: Instant;
  /** How long was measured. */
  readonly windowMs: number;
  /** In thousandths; `undefined` when the Pod was not measured. */
  readonly valueOf: (pod: Pod) => number | undefined;
}

/** A Pod and what was measured of it, in thousandths. */
interface MeasuredPod {
  readonly pod: Pod;
  readonly value: number;
}

/** The Pods of an autoscaler by what their metrics are worth. Pods that end or have failed are in no group. */
export interface PodGroups {
  /** Their metrics count. */
  readonly measured: readonly MeasuredPod[];
  /** Pending, or still starting: what they use now says nothing. */
  readonly unready: readonly Pod[];
  /** Without metrics. */
  readonly missing: readonly Pod[];
}

/** For so long after its start a Pod's CPU use counts only while it is ready (upstream: cpu-initialization-period). */
const cpuInitializationMs = 5 * 60_000;

/** A Pod that was last unready so soon after its start has never been ready (upstream: initial-readiness-delay). */
const initialReadinessDelayMs = 30_000;

/** Groups the Pods; only CPU use is distorted by a start, so only it waits for readiness. */
// upstream: groupPods
export function groupPods(
  pods: readonly Pod[],
  samples: PodSamples,
  { resource, now }: { readonly resource?: string | undefined; readonly now: Instant },
): PodGroups {
  const measured: MeasuredPod[] = [];
  const unready: Pod[] = [];
  const missing: Pod[] = [];
  for (const pod of pods) {
    const phase = pod.status?.phase;
    if (isBeingDeleted(pod) || phase === "Failed") continue;
    if (phase === "Pending") {
      unready.push(pod);
      continue;
    }
    const value = samples.valueOf(pod);
    if (value === undefined) missing.push(pod);
    else if (resource === "cpu" && isStarting(pod, samples, now)) unready.push(pod);
    else measured.push({ pod, value });
  }
  return { measured, unready, missing };
}

function isStarting(pod: Pod, { timestamp, windowMs }: PodSamples, now: Instant): boolean {
  const { startedAt, isUnready, changedAt } = readinessOf(pod);
  if (startedAt === undefined || changedAt === undefined) return true;
  if (startedAt + cpuInitializationMs > now) return isUnready || timestamp < changedAt + windowMs;
  return isUnready && startedAt + initialReadinessDelayMs > changedAt;
}

interface Readiness {
  readonly startedAt: Instant | undefined;
  readonly isUnready: boolean;
  /** When the Ready condition last changed; absent without one. */
  readonly changedAt: Instant | undefined;
}

/** Times are parsed once per version of a Pod, not every 15 seconds. */
const readinesses = new WeakMap<Pod, Readiness>();

function readinessOf(pod: Pod): Readiness {
  const known = readinesses.get(pod);
  if (known !== undefined) return known;
  const ready = findCondition(pod.status?.conditions, "Ready");
  const readiness = {
    startedAt: parseTime(pod.status?.startTime),
    isUnready: ready?.status === "False",
    changedAt: ready === undefined ? undefined : (parseTime(ready.lastTransitionTime) ?? 0),
  };
  readinesses.set(pod, readiness);
  return readiness;
}
