import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { PickerQuestion } from "../../decisions/downscale/picker-question.ts";
import { desiredReplicasOf } from "../../decisions/replicas/replica-owner.ts";
import type { PickerOutcome } from "../picker-outcome.ts";
import { workloadOf } from "../picker-workload.ts";

/** A scale-down for which a picker is needed, as the controller sees it at `now`. */
export interface ScaleDown {
  readonly owner: ReplicaSet;
  /** The picker as the object has it, not validated. */
  readonly picker: unknown;
  /** How many Pods have to go. */
  readonly count: number;
  readonly question: Extract<PickerQuestion, { readonly kind: "Ask" }>;
  readonly now: Instant;
}

/** What a call was made for. Its answer applies only while these still hold. */
export interface CallPreconditions {
  readonly picker: string;
  /** The desired number of Pods. */
  readonly size: number;
  readonly count: number;
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
 * The call for one scale-down, until its outcome is used. When the size falls further, the call goes on; when it rises,
 * or the picker or its candidates change, another call replaces it and inherits its deadline, so that a workload that
 * keeps changing is not delayed for longer than its timeout.
 */
export interface PickerCall {
  /** Of the ReplicaSet. */
  readonly key: string;
  readonly uid: string;
  /** The UID of its workload. */
  readonly workload: string;
  readonly deadlineAt: Instant;
  readonly preconditions: CallPreconditions;
  readonly state: CallState;
  readonly abort: AbortController;
}

/** How long an outcome may wait for the next reconcile. */
export const answerTtlMs = 30_000;

export function newPickerCall(scaleDown: ScaleDown, deadlineAt: Instant): PickerCall {
  return {
    key: keyOf(scaleDown.owner),
    uid: scaleDown.owner.metadata.uid,
    workload: workloadOf(scaleDown.owner).uid,
    deadlineAt,
    preconditions: preconditionsOf(scaleDown),
    state: { kind: "in flight" },
    abort: new AbortController(),
  };
}

function preconditionsOf({ owner, picker, count, question }: ScaleDown): CallPreconditions {
  return {
    picker: JSON.stringify(picker),
    size: desiredReplicasOf(owner) ?? 0,
    count,
    requested: question.requested,
    candidateUids: new Set(question.candidates.map(({ metadata }) => metadata.uid)),
  };
}

/** What to do with an existing call. */
export type NextAction =
  | { readonly kind: "wait" }
  | {
      readonly kind: "use";
      readonly completed: Extract<CallState, { readonly kind: "completed" }>;
      /** How many Pods it is used for; absent: all that have to go. */
      readonly count?: number;
    }
  | { readonly kind: "call again" };

/**
 * Decides whether a call, or its outcome, still applies to the part of a scale-down that it was made for. A failed or
 * empty outcome applies whatever has changed, and a failed one to all that have to go: another call would only delay the
 * scale-down.
 */
export function nextAction({ preconditions, state }: PickerCall, scaleDown: ScaleDown): NextAction {
  const areMet = stillHold(preconditions, preconditionsOf(scaleDown));
  if (state.kind === "in flight") return areMet ? { kind: "wait" } : { kind: "call again" };
  const { outcome, expiresAt } = state;
  if (scaleDown.now >= expiresAt) return { kind: "call again" };
  if (areMet && outcome.kind === "answered") return { kind: "use", completed: state, count: scaleDown.count };
  return isRanked(outcome) ? { kind: "call again" } : { kind: "use", completed: state };
}

function isRanked(outcome: PickerOutcome): boolean {
  return outcome.kind === "answered" && outcome.answer.kind === "Ranked";
}

function stillHold(then: CallPreconditions, now: CallPreconditions): boolean {
  return (
    then.picker === now.picker &&
    now.size <= then.size &&
    now.requested <= then.requested &&
    [...now.candidateUids].every((uid) => then.candidateUids.has(uid))
  );
}
