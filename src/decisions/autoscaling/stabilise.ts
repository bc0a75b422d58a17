import type { HorizontalPodAutoscalerBehavior } from "../../api/generated/autoscaling-v2.ts";
import type { Instant } from "../../api/time.ts";
import type { ScalingHistory } from "./scaling-history.ts";

/** How long a higher recommendation is remembered before Pods are removed (upstream: downscale-stabilization). */
const scaleDownWindowSeconds = 300;

/** A recommendation and what it is compared with. */
export interface Recommended {
  readonly recommended: number;
  readonly currentReplicas: number;
  readonly history: ScalingHistory;
  readonly now: Instant;
}

/** A recommendation after the windows, and which of them changed it. */
export interface Stabilised {
  readonly replicas: number;
  readonly because: "as-recommended" | "ScaleUpStabilized" | "ScaleDownStabilized";
}

/** Applies the stabilisation windows: the lowest of the recent recommendations on the way up, the highest down. */
export function stabilise(
  state: Recommended,
  behavior: HorizontalPodAutoscalerBehavior | undefined,
): Stabilised {
  const replicas = behavior === undefined ? highestRecent(state) : withinWindows(state, behavior);
  if (replicas === state.recommended) return { replicas, because: "as-recommended" };
  const isUp = behavior !== undefined && state.recommended >= state.currentReplicas;
  return { replicas, because: isUp ? "ScaleUpStabilized" : "ScaleDownStabilized" };
}

// upstream: stabilizeRecommendation
function highestRecent({ recommended, history, now }: Recommended): number {
  const cutoff = now - scaleDownWindowSeconds * 1000;
  let highest = recommended;
  for (const { at, replicas } of history.recommendations)
    if (at >= cutoff) highest = Math.max(highest, replicas);
  return highest;
}

// upstream: stabilizeRecommendationWithBehaviors
function withinWindows(
  { recommended, currentReplicas, history, now }: Recommended,
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
): number {
  const upCutoff = now - (scaleUp?.stabilizationWindowSeconds ?? 0) * 1000;
  const downCutoff = now - (scaleDown?.stabilizationWindowSeconds ?? scaleDownWindowSeconds) * 1000;
  let lowest = recommended;
  let highest = recommended;
  for (const { at, replicas } of history.recommendations) {
    if (at > upCutoff) lowest = Math.min(lowest, replicas);
    if (at > downCutoff) highest = Math.max(highest, replicas);
  }
  return Math.min(Math.max(currentReplicas, lowest), highest);
}

/** What the condition AbleToScale says about a recommendation that was not taken as it is. */
export const stabilisedMessages: Readonly<Record<Stabilised["because"], string>> = {
  "as-recommended": "recommended size matches current size",
  ScaleUpStabilized:
    "recent recommendations were lower than current one, applying the lowest recent recommendation",
  ScaleDownStabilized:
    "recent recommendations were higher than current one, applying the highest recent recommendation",
};
