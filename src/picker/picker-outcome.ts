import type { JsonObject } from "../api/json.ts";
import type { PickerAnswer } from "../decisions/downscale/picker-answer.ts";
import type { PickerFailure } from "./picker-failure.ts";
import type { Protocol } from "./picker-settings.ts";

/** The result of a call: a usable answer, or the failure of the last attempt. */
export type PickerOutcome =
  | { readonly kind: "answered"; readonly answer: UsableAnswer; readonly attempts: number }
  | { readonly kind: "failed"; readonly failure: PickerFailure; readonly attempts: number };

export type UsableAnswer = Exclude<PickerAnswer, { readonly kind: "Malformed" }>;

/** A call that has ended, as metrics and decision records need it. */
export interface CompletedCall {
  readonly protocol: Protocol | "none";
  readonly outcome: PickerOutcome;
  readonly requested: number;
  readonly candidates: number;
  readonly tookMs: number;
}

export type OutcomeName = "NotNeeded" | "Ranked" | "Empty" | "Failed";

export function outcomeName(outcome: PickerOutcome): OutcomeName {
  return outcome.kind === "failed" ? "Failed" : outcome.answer.kind;
}

/**
 * The part of a decision record that describes the call. It has numbers and classes only: no bodies, headers, Secrets or
 * addresses.
 */
export function outcomeRecord({
  protocol,
  outcome,
  requested,
  candidates,
  tookMs,
}: CompletedCall): JsonObject {
  return {
    outcome: outcomeName(outcome),
    protocol,
    asked: { requested, candidates },
    attempts: outcome.attempts,
    tookMs,
    ...answerRecord(outcome),
    used: outcomeName(outcome) === "Ranked",
  };
}

/** The record of a decision in which the rules above the picker left nothing to choose. */
export function notNeededRecord(protocol: CompletedCall["protocol"]): JsonObject {
  const outcome: OutcomeName = "NotNeeded";
  return { outcome, protocol, used: false };
}

function answerRecord(outcome: PickerOutcome): JsonObject {
  if (outcome.kind === "failed") {
    const { class: failure, code } = outcome.failure;
    return { class: failure, ...(code !== undefined && { code }) };
  }
  const { answer } = outcome;
  const counts =
    answer.kind === "Ranked"
      ? { chosen: answer.chosen.size, tied: answer.tied.size }
      : { chosen: 0, tied: 0 };
  return { answered: counts, ignored: { ...answer.ignored } };
}
