import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Instant } from "../api/time.ts";
import type { PickerQuestion } from "../decisions/downscale/picker-question.ts";
import type { PickerOutcome } from "./picker-outcome.ts";

/** A scale-down for which a picker is needed, as the controller sees it at `now`. */
export interface ScaleDown {
  readonly owner: ReplicaSet;
  /** The picker as the object has it, not validated. */
  readonly picker: unknown;
  readonly question: Extract<PickerQuestion, { readonly kind: "Ask" }>;
  readonly now: Instant;
}

/** What a call was made for. Its answer applies only while these still hold. */
export interface CallPreconditions {
  readonly generation: number | undefined;
  readonly picker: string;
  readonly requested: number;
  readonly candidateUids: ReadonlySet<string>;
}

export type CallState =
  | { readonly kind: "in flight" }
  | {
      readonly kind: "completed";
      readonly outcome: PickerOutcome;
      readonly tookMs: number;
      readonly expiresAt: Instant;
    };

/**
 * The call for one scale-down, until its outcome is used. A call that replaces an outdated one inherits its deadline, so
 * that a workload that keeps changing is not delayed for longer than its timeout.
 */
export interface PickerCall {
  /** Of the ReplicaSet. */
  readonly uid: string;
  readonly startedAt: Instant;
  readonly deadlineAt: Instant;
  readonly preconditions: CallPreconditions;
  readonly state: CallState;
  readonly abort: AbortController;
}

/** How long an outcome may wait for the next reconcile. */
export const answerTtlMs = 30_000;

export function newPickerCall(scaleDown: ScaleDown, deadlineAt: Instant): PickerCall {
  return {
    uid: scaleDown.owner.metadata.uid,
    startedAt: scaleDown.now,
    deadlineAt,
    preconditions: preconditionsOf(scaleDown),
    state: { kind: "in flight" },
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

/** What to do with an existing call. */
export type NextAction =
  | { readonly kind: "wait" }
  | { readonly kind: "use"; readonly completed: Extract<CallState, { readonly kind: "completed" }> }
  | { readonly kind: "call again" };

/**
 * Decides whether a call, or its outcome, still applies to the scale-down. A failed or empty outcome applies whatever has
 * changed: another call would only delay the scale-down.
 */
export function nextAction({ preconditions, state }: PickerCall, scaleDown: ScaleDown): NextAction {
  const areMet = stillHold(preconditions, preconditionsOf(scaleDown));
  switch (state.kind) {
    case "in flight":
      return areMet ? { kind: "wait" } : { kind: "call again" };
    case "completed":
      return scaleDown.now < state.expiresAt && (areMet || !isRanked(state.outcome))
        ? { kind: "use", completed: state }
        : { kind: "call again" };
  }
}

function isRanked(outcome: PickerOutcome): boolean {
  return outcome.kind === "answered" && outcome.answer.kind === "Ranked";
}

function stillHold(then: CallPreconditions, now: CallPreconditions): boolean {
  return (
    then.generation === now.generation &&
    then.picker === now.picker &&
    now.requested <= then.requested &&
    [...now.candidateUids].every((uid) => then.candidateUids.has(uid))
  );
}
