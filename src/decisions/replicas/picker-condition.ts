import { findCondition, pickerHealthyCondition, withoutCondition } from "../../api/conditions.ts";
import type { ReplicaSetCondition } from "../../api/generated/apps-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import type { PickerHealth } from "../downscale/picker-state.ts";
import type { Conditions } from "./replica-failure.ts";

/** The reason of a picker that cannot be called as it is written. */
export const invalidPicker = "InvalidConfig";

/** The conditions with the one about the picker; an empty list becomes absent. */
export function withPickerHealth(conditions: Conditions, health: PickerHealth, now: Instant): Conditions {
  const present = findCondition(conditions, pickerHealthyCondition);
  switch (health.kind) {
    case "unknown":
      // A picker that was invalid is not invalid any more.
      return present?.reason === invalidPicker ? without(conditions) : conditions;
    case "none":
      return present === undefined ? conditions : without(conditions);
    case "healthy":
    case "failing":
      return withReport(conditions, wordsOf(health), now);
  }
}

type Report = Required<Pick<ReplicaSetCondition, "status" | "reason" | "message">>;

function withReport(conditions: Conditions, report: Report, now: Instant): Conditions {
  const { status, reason, message } = report;
  const present = findCondition(conditions, pickerHealthyCondition);
  if (present?.status === status && present.reason === reason && present.message === message)
    return conditions;
  // Another message is not a transition.
  const since = present?.status === status ? present.lastTransitionTime : undefined;
  const lastTransitionTime = since ?? formatTime(now);
  const entry = { type: pickerHealthyCondition, status, lastTransitionTime, reason, message };
  return [...withoutCondition(conditions, pickerHealthyCondition), entry];
}

function without(conditions: Conditions): Conditions {
  const others = withoutCondition(conditions, pickerHealthyCondition);
  return others.length === 0 ? undefined : others;
}

function wordsOf(health: Extract<PickerHealth, { readonly kind: "healthy" | "failing" }>): Report {
  return health.kind === "healthy"
    ? { status: "True", reason: "Answered", message: "The pod picker answered the last call." }
    : { status: "False", reason: health.reason, message: health.message };
}
