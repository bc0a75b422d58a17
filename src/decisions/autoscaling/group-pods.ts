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

/** How long after its start a Pod's CPU use counts only while the Pod is ready (upstream: cpu-initialization-period). */
const cpuInitializationMs = 5 * 60_000;

/** A Pod that became unready within this time after its start has never been ready (upstream: initial-readiness-delay). */
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
  const facts = factsOf(pods);
  for (const [index, pod] of pods.entries()) {
    const fact = facts[index] ?? readFacts(pod);
    if (fact.stage === "ending") continue;
    if (fact.stage === "pending") {
      unready.push(pod);
      continue;
    }
    const value = samples.valueOf(pod);
    if (value === undefined) missing.push(pod);
    else if (resource === "cpu" && isStarting(fact, samples, now)) unready.push(pod);
    else measured.push({ pod, value });
  }
  return { measured, unready, missing };
}

function isStarting(
  { startedAt, isUnready, changedAt }: Readiness,
  { timestamp, windowMs }: PodSamples,
  now: Instant,
): boolean {
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

interface PodFacts extends Readiness {
  readonly stage: "ending" | "pending" | "running";
}

/** Times are parsed once per list of Pods: the same list is given every 15 seconds while none of them changes. */
const known = new WeakMap<readonly Pod[], readonly PodFacts[]>();

function factsOf(pods: readonly Pod[]): readonly PodFacts[] {
  const facts = known.get(pods) ?? pods.map(readFacts);
  known.set(pods, facts);
  return facts;
}

function readFacts(pod: Pod): PodFacts {
  const { phase, startTime, conditions } = pod.status ?? {};
  const ready = findCondition(conditions, "Ready");
  const isEnding = isBeingDeleted(pod) || phase === "Failed";
  return {
    stage: isEnding ? "ending" : phase === "Pending" ? "pending" : "running",
    startedAt: parseTime(startTime),
    isUnready: ready?.status === "False",
    changedAt: ready === undefined ? undefined : (parseTime(ready.lastTransitionTime) ?? 0),
  };
}
