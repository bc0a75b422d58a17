import type { Pod } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { type Instant, parseTime } from "../../api/time.ts";

/**
 * For every Ready victim, its age as a multiple of the age of the youngest Ready Pod there was to choose from: what
 * the metric `sorting_deletion_age_ratio` observes. Empty when that Pod has no age yet.
 */
export function deletionAgeRatios(
  victims: readonly Pod[],
  pods: Iterable<Pod>,
  now: Instant,
): readonly number[] {
  const youngestMs = now - latestCreation(pods);
  if (youngestMs <= 0) return [];
  return victims
    .filter(isReady)
    .map((pod) => parseTime(pod.metadata?.creationTimestamp))
    .filter((created) => created !== undefined)
    .map((created) => (now - created) / youngestMs);
}

/** When the youngest Ready Pod was created. Times as the API server writes them rise as texts do, and parsing is slow. */
function latestCreation(pods: Iterable<Pod>): Instant {
  let latest = -Infinity;
  let text = "";
  for (const pod of pods) {
    const created: unknown = pod.metadata?.creationTimestamp;
    if (typeof created !== "string" || (isCanonical(created) && created <= text) || !isReady(pod)) continue;
    const at = parseTime(created);
    if (at === undefined || at <= latest) continue;
    latest = at;
    if (isCanonical(created)) text = created;
  }
  return latest;
}

/** Whether a time has the form `2026-01-01T00:00:00Z`. */
function isCanonical(time: string): boolean {
  return time.length === 20 && time.endsWith("Z");
}
