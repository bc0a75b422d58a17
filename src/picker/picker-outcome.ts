import type { JsonObject } from "../api/json.ts";
import type { Finding } from "./consult.ts";
import type { Protocol } from "./picker-settings.ts";

/** A consultation as those see it who count and explain: numbers and classes, nothing the picker or a Secret said. */
export interface Consulted {
  readonly protocol: Protocol | "none";
  readonly finding: Finding;
  readonly requested: number;
  readonly candidates: number;
  readonly tookMs: number;
}

export type OutcomeName = "NotNeeded" | "Ranked" | "Empty" | "Failed";

export function outcomeOf(finding: Finding): OutcomeName {
  return finding.kind === "failed" ? "Failed" : finding.answer.kind;
}

/** What goes on record: what was asked, answered, ignored, and whether it was used. */
export function outcomeRecord({ protocol, finding, requested, candidates, tookMs }: Consulted): JsonObject {
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
export function notNeededRecord(protocol: Consulted["protocol"]): JsonObject {
  const outcome: OutcomeName = "NotNeeded";
  return { outcome, protocol, used: false };
}

function answerRecord(finding: Finding): JsonObject {
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
