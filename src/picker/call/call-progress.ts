import type { SettledPicker, UnaskedPicker } from "../../decisions/downscale/picker-progress.ts";
import { type CallPlan, requestSize } from "./call-tracker.ts";
import { nextAction, type PickerCall, type ScaleDown } from "./picker-call.ts";
import { permanentFailure, type PickerFailure } from "../picker-failure.ts";
import { type CompletedCall, notNeededRecord, outcomeRecord } from "../picker-outcome.ts";
import type { PickerSettings } from "../picker-settings.ts";

/** A call that has to be made. */
export interface UnaskedCall extends UnaskedPicker, CallPlan {
  readonly scaleDown: ScaleDown;
}

/** An outcome that can be used for a decision. */
export interface SettledCall extends SettledPicker {
  readonly protocol: CompletedCall["protocol"];
  /** Absent if the picker was not needed. */
  readonly completed?: CompletedCall;
  /** Whether the metrics have counted it: a call is counted when it ends. */
  readonly isCounted: boolean;
}

export type CallProgress = { readonly kind: "pending" } | UnaskedCall | SettledCall;

/** A call is missing: it gets all of the timeout, or what an earlier one has left. */
export function unaskedCall(
  scaleDown: ScaleDown,
  settings: PickerSettings,
  replaced?: PickerCall,
): CallProgress {
  const { now } = scaleDown;
  const deadlineAt = replaced?.deadlineAt ?? now + settings.timeoutMs;
  return now < deadlineAt
    ? { kind: "not-asked", scaleDown, settings, deadlineAt }
    : settledWithoutCall(scaleDown, permanentFailure("Timeout"), settings.protocol);
}

/** What a scale-down does about the call there is: wait for it, use its outcome, or replace it. */
export function progressOfCall(
  call: PickerCall,
  scaleDown: ScaleDown,
  settings: PickerSettings,
): CallProgress {
  const next = nextAction(call, scaleDown);
  switch (next.kind) {
    case "wait":
      return { kind: "pending" };
    case "use": {
      const { protocol } = settings;
      const settled = settledBy({ ...next.completed, ...requestSize(call), protocol });
      return { ...settled, ...(next.count !== undefined && { count: next.count }), isCounted: true };
    }
    case "call again":
      return unaskedCall(scaleDown, settings, call);
  }
}

/** The rules above the picker decide; about so many Pods, if a call was made for fewer than have to go. */
export function notNeeded(settings: PickerSettings | undefined, count?: number): SettledCall {
  const protocol = settings?.protocol ?? "none";
  const settled = {
    kind: "settled",
    outcome: notNeededRecord(protocol),
    protocol,
    isCounted: false,
  } as const;
  return count === undefined ? settled : { ...settled, count };
}

/** No call can be made: the deadline has passed, the settings are invalid, or the picker keeps failing. */
export function settledWithoutCall(
  { question }: ScaleDown,
  failure: PickerFailure,
  protocol: CompletedCall["protocol"] = "none",
): SettledCall {
  const { requested, candidates } = question;
  const outcome = { kind: "failed", failure, attempts: 0 } as const;
  const completed = { protocol, outcome, requested, candidates: candidates.length, tookMs: 0 };
  return { ...settledBy(completed), isCounted: false };
}

function settledBy(completed: CompletedCall): Omit<SettledCall, "isCounted"> {
  const { outcome, protocol } = completed;
  const settled = { kind: "settled", outcome: outcomeRecord(completed), protocol, completed } as const;
  if (outcome.kind === "failed" || outcome.answer.kind !== "Ranked") return settled;
  const { chosen, tied } = outcome.answer;
  return { ...settled, picks: { chosen, tied } };
}
