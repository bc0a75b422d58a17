import type { JsonObject } from "../api/json.ts";
import type { PickerOutcome } from "./call-picker.ts";
import type { Protocol } from "./picker-settings.ts";

/** A consultation as those see it who count and explain: numbers and classes, nothing the picker or a Secret said. */
export interface CompletedCall {
  readonly protocol: Protocol | "none";
  readonly finding: PickerOutcome;
  readonly requested: number;
  readonly candidates: number;
  readonly tookMs: number;
}

export type OutcomeName = "NotNeeded" | "Ranked" | "Empty" | "Failed";

export function outcomeOf(finding: PickerOutcome): OutcomeName {
  return finding.kind === "failed" ? "Failed" : finding.answer.kind;
}

/** What goes on record: what was asked, answered, ignored, and whether it was used. */
export function outcomeRecord({
  protocol,
  finding,
  requested,
  candidates,
  tookMs,
}: CompletedCall): JsonObject {
  return {
    outcome: outcomeOf(finding),
    protocol,
    asked: { requested, candidates },
    attempts: finding.attempts,
    tookMs,
    ...answerRecord(finding),
    used: outcomeOf(finding) === "Ranked",
  };
}

/** The record of a decision that left a picker nothing to say. */
export function notNeededRecord(protocol: CompletedCall["protocol"]): JsonObject {
  const outcome: OutcomeName = "NotNeeded";
  return { outcome, protocol, used: false };
}

function answerRecord(finding: PickerOutcome): JsonObject {
  if (finding.kind === "failed") {
    const { class: failure, code } = finding.failure;
    return { class: failure, ...(code !== undefined && { code }) };
  }
  const { answer } = finding;
  const counts =
    answer.kind === "Ranked"
      ? { chosen: answer.chosen.size, tied: answer.tied.size }
      : { chosen: 0, tied: 0 };
  return { answered: counts, ignored: { ...answer.ignored } };
}
