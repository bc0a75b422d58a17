import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { PickerQuestion } from "../decisions/downscale/picker-question.ts";
import type { Instant } from "../api/time.ts";
import type { PickerOutcome } from "./call-picker.ts";

/** What a picker is asked for a workload at one moment. */
export interface ScaleDown {
  readonly owner: ReplicaSet;
  /** The picker as it is written down. */
  readonly picker: unknown;
  readonly question: Extract<PickerQuestion, { readonly kind: "Ask" }>;
  readonly now: Instant;
}

/** What the circumstances of a call were: an answer is good for these, not for others. */
export interface CallPreconditions {
  readonly generation: number | undefined;
  readonly picker: string;
  readonly requested: number;
  readonly candidateUids: ReadonlySet<string>;
}

/** How far a call has come. */
export type CallState =
  | { readonly kind: "asking" }
  | {
      readonly kind: "answered";
      readonly finding: PickerOutcome;
      readonly tookMs: number;
      readonly expiresAt: Instant;
    };

/**
 * The asking for one scale-down, from the first call until Pods are chosen. Calls that are begun again share its time:
 * a workload that keeps changing gets no more of it.
 */
export interface PickerCall {
  readonly uid: string;
  /** When the call was made; others may have been before. */
  readonly beganAt: Instant;
  readonly endsAt: Instant;
  readonly circumstances: CallPreconditions;
  readonly progress: CallState;
  readonly abort: AbortController;
}

/** How long an answer may wait for somebody to use it. */
export const answerTtlMs = 30_000;

/** Begins to ask. */
export function newPickerCall(occasion: ScaleDown, endsAt: Instant): PickerCall {
  return {
    uid: occasion.owner.metadata.uid,
    beganAt: occasion.now,
    endsAt,
    circumstances: preconditionsOf(occasion),
    progress: { kind: "asking" },
    abort: new AbortController(),
  };
}

function preconditionsOf({ owner, picker, question }: ScaleDown): CallPreconditions {
  return {
    generation: owner.metadata.generation,
    picker: JSON.stringify(picker),
    requested: question.requested,
    candidateUids: new Set(question.candidates.map(({ metadata }) => metadata.uid)),
  };
}

/** What to do about an episode on an occasion. */
export type NextAction =
  | { readonly kind: "wait" }
  | { readonly kind: "use"; readonly answer: Extract<CallState, { readonly kind: "answered" }> }
  | { readonly kind: "ask again" };

/** Whether a call, or its answer, still fits. A failure fits whatever has changed: asking again would only delay. */
export function nextAction({ circumstances, progress }: PickerCall, occasion: ScaleDown): NextAction {
  const fits = stillHold(circumstances, preconditionsOf(occasion));
  switch (progress.kind) {
    case "asking":
      return fits ? { kind: "wait" } : { kind: "ask again" };
    case "answered":
      return occasion.now < progress.expiresAt && (fits || !isRanked(progress.finding))
        ? { kind: "use", answer: progress }
        : { kind: "ask again" };
  }
}

function isRanked(finding: PickerOutcome): boolean {
  return finding.kind === "answered" && finding.answer.kind === "Ranked";
}

function stillHold(then: CallPreconditions, now: CallPreconditions): boolean {
  return (
    then.generation === now.generation &&
    then.picker === now.picker &&
    now.requested <= then.requested &&
    [...now.candidateUids].every((uid) => then.candidateUids.has(uid))
  );
}
