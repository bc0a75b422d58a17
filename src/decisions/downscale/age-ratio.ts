import type { Pod } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { type Instant, parseTime } from "../../api/time.ts";

/**
 * For every Ready victim, its age as a multiple of the age of the youngest Ready Pod there was to choose from: what
 * the metric `sorting_deletion_age_ratio` observes. Empty when that Pod has no age yet.
 */
export function deletionAgeRatios(
  victims: readonly Pod[],
  pods: readonly Pod[],
  now: Instant,
): readonly number[] {
  const youngestMs = agesOfReady(pods, now).reduce((least, ageMs) => Math.min(least, ageMs), Infinity);
  if (youngestMs <= 0) return [];
  return agesOfReady(victims, now).map((ageMs) => ageMs / youngestMs);
}

function agesOfReady(pods: readonly Pod[], now: Instant): readonly number[] {
  return pods
    .filter(isReady)
    .map((pod) => parseTime(pod.metadata?.creationTimestamp))
    .filter((created) => created !== undefined)
    .map((created) => now - created);
}
