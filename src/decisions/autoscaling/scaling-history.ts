import type { Instant } from "../../api/time.ts";

/** What an autoscaler asked for at some time, before it was stabilised and limited. */
interface Recommendation {
  readonly at: Instant;
  readonly replicas: number;
}

/** By how many Pods an autoscaler changed its target at some time; negative: fewer. */
interface ScaleChange {
  readonly at: Instant;
  readonly by: number;
}

/** What an autoscaler remembers of its own past. It is lost when its controller restarts. */
export interface ScalingHistory {
  readonly recommendations: readonly Recommendation[];
  /** Kept for autoscalers with a behavior: only their policies count them. */
  readonly changes: readonly ScaleChange[];
}

/** The longest window and period that validation allows. */
const longestWindowMs = 3_600_000;
const longestPeriodMs = 1_800_000;

/** Begins the history of an autoscaler with the number of Pods that it asks for now. */
export function beginHistory(replicas: number, now: Instant): ScalingHistory {
  return { recommendations: [{ at: now, replicas }], changes: [] };
}

/** The history with a recommendation added, and without those that no window reaches back to. */
export function withRecommendation(
  { recommendations, changes }: ScalingHistory,
  replicas: number,
  now: Instant,
): ScalingHistory {
  const first = recommendations.findIndex(({ at }) => at >= now - longestWindowMs);
  const kept = first === -1 ? [] : recommendations.slice(first);
  return { recommendations: [...kept, { at: now, replicas }], changes };
}

/** The history with a change of the target added, and without those that no policy reaches back to. */
export function withChange(
  { recommendations, changes }: ScalingHistory,
  by: number,
  now: Instant,
): ScalingHistory {
  const kept = changes.filter(({ at }) => at >= now - longestPeriodMs);
  return { recommendations, changes: [...kept, { at: now, by }] };
}

/** Returns the number of Pods added less those removed within the last `periodSeconds`. */
export function changeWithin({ changes }: ScalingHistory, periodSeconds: number, now: Instant): number {
  const cutoff = now - periodSeconds * 1000;
  let sum = 0;
  for (const { at, by } of changes) if (at > cutoff) sum += by;
  return sum;
}
