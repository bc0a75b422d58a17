import type { Pod } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { finish, podsPerStep, type Steps } from "./steps.ts";

/**
 * For every Ready victim, its age as a multiple of the age of the youngest Ready Pod there was to choose from: what
 * the metric `sorting_deletion_age_ratio` observes. Empty when that Pod has no age yet.
 */
export function deletionAgeRatios(
  victims: readonly Pod[],
  pods: Iterable<Pod>,
  now: Instant,
): readonly number[] {
  return finish(deletionAgeRatiosInSteps(victims, pods, now));
}

/** Generator variant of `deletionAgeRatios`, for callers that do other work between its steps. */
export function* deletionAgeRatiosInSteps(
  victims: readonly Pod[],
  pods: Iterable<Pod>,
  now: Instant,
): Steps<readonly number[]> {
  const youngestMs = now - (yield* latestCreation(pods));
  if (youngestMs <= 0) return [];
  return victims
    .filter(isReady)
    .map((pod) => parseTime(pod.metadata?.creationTimestamp))
    .filter((created) => created !== undefined)
    .map((created) => (now - created) / youngestMs);
}

/** When the youngest Ready Pod was created. */
function* latestCreation(pods: Iterable<Pod>): Steps<Instant> {
  let latest: Creation = { at: -Infinity, text: "" };
  let count = 0;
  for (const pod of pods) {
    latest = laterOf(latest, pod);
    if (++count % podsPerStep === 0) yield;
  }
  return latest.at;
}

interface Creation {
  readonly at: Instant;
  /** The latest canonical time so far. */
  readonly text: string;
}

/** Times as the API server writes them rise as texts do, and parsing is slow. */
function laterOf(latest: Creation, pod: Pod): Creation {
  const created: unknown = pod.metadata?.creationTimestamp;
  if (typeof created !== "string" || (isCanonical(created) && created <= latest.text) || !isReady(pod))
    return latest;
  const at = parseTime(created);
  if (at === undefined || at <= latest.at) return latest;
  return { at, text: isCanonical(created) ? created : latest.text };
}

/** Whether a time has the form `2026-01-01T00:00:00Z`. */
function isCanonical(time: string): boolean {
  return time.length === 20 && time.endsWith("Z");
}
