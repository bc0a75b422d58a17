import { findCondition } from "../../api/conditions.ts";
import type { HorizontalPodAutoscalerCondition } from "../../api/generated/autoscaling-v2.ts";
import { formatTime, type Instant } from "../../api/time.ts";

/** A condition of an autoscaler, before it is known when it changed. */
export interface ConditionDraft {
  readonly type: "AbleToScale" | "ScalingActive" | "ScalingLimited";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The conditions with the drafts in their places; the time changes with the status only. */
// upstream: setConditionInList
export function withConditions(
  conditions: readonly HorizontalPodAutoscalerCondition[] | undefined,
  drafts: readonly ConditionDraft[],
  now: Instant,
): readonly HorizontalPodAutoscalerCondition[] {
  const changed = [...(conditions ?? [])];
  for (const draft of drafts) {
    const known = findCondition(changed, draft.type);
    const lastTransitionTime =
      known?.status === draft.status ? (known.lastTransitionTime ?? formatTime(now)) : formatTime(now);
    const condition = { ...draft, lastTransitionTime };
    if (known === undefined) changed.push(condition);
    else changed[changed.indexOf(known)] = condition;
  }
  return changed;
}
