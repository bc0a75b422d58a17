import type { JsonObject } from "../../api/json.ts";
import type { PickerAnswer } from "./picker-answer.ts";

/** Why there is no usable answer; src/picker has the list of classes. */
export interface CallFailure {
  readonly class: string;
  /** The status code of the picker's response: `HTTP 503`, `gRPC UNAVAILABLE`. */
  readonly code?: string;
  /** What is wrong with the picker's settings, without their values. */
  readonly problem?: string;
}

/** The result of a call: a usable answer, or the failure of the last attempt. */
export type PickerOutcome<F extends CallFailure = CallFailure> =
  | { readonly kind: "answered"; readonly answer: UsableAnswer; readonly attempts: number }
  | { readonly kind: "failed"; readonly failure: F; readonly attempts: number };

export type UsableAnswer = Exclude<PickerAnswer, { readonly kind: "Malformed" }>;

/** How a picker is called; `none` where its settings do not say so. */
export type PickerProtocol = "http" | "grpc" | "none";

/** A call that has ended, as metrics and decision records need it. */
export interface CompletedCall {
  readonly protocol: PickerProtocol;
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
export function notNeededRecord(protocol: PickerProtocol): JsonObject {
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
