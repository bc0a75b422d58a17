import type { Asker } from "./asker.ts";
import type { Reply } from "./probe.ts";
import type { Protocol } from "../picker-settings.ts";

/** What a row of the contract found. A warning is advice: the picker works without it. */
export interface CheckVerdict {
  readonly kind: "pass" | "fail" | "warn" | "skip";
  /** What was found, as a sentence; empty if there is nothing to say. */
  readonly detail: string;
}

/** One line of the contract. */
export interface CheckRow {
  readonly name: string;
  /** What a picker does, as a sentence. */
  readonly promise: string;
  /** Absent: in both protocols. */
  readonly protocol?: Protocol;
  /** Whether it is checked even if the picker has stopped responding. */
  readonly isFinal?: true;
  readonly check: (asker: Asker) => Promise<CheckVerdict>;
}

export const passed: CheckVerdict = { kind: "pass", detail: "" };

export function failed(detail: string): CheckVerdict {
  return { kind: "fail", detail };
}

export function warned(detail: string): CheckVerdict {
  return { kind: "warn", detail };
}

export function skipped(detail: string): CheckVerdict {
  return { kind: "skip", detail };
}

/** Returns why a reply is not a usable answer; `undefined` if it is one. */
export function replyProblem(reply: Reply): string | undefined {
  switch (reply.kind) {
    case "silent":
      return `there was no answer: ${reply.reason}`;
    case "error":
      return `it answered ${reply.code}`;
    case "answer":
      return reply.answer.kind === "Malformed"
        ? `the answer is malformed: ${reply.answer.reason}`
        : undefined;
  }
}
