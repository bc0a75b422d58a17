import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Instant } from "../../api/time.ts";
import type { Facts, Picks } from "./facts.ts";
import {
  type CallFailure,
  type CompletedCall,
  notNeededRecord,
  outcomeRecord,
  type PickerOutcome,
  type PickerProtocol,
} from "./picker-outcome.ts";
import { overrulesPicker, pickerQuestion } from "./picker-question.ts";
import type {
  AskedPicker,
  AskedQuestion,
  CallState,
  KnownPicker,
  PickerState,
  StandingAnswer,
} from "./picker-state.ts";

/** A removal that a picker may be asked about: the Pods, and how many of them have to go. */
export interface RemovalRequest {
  readonly pods: readonly Pod[];
  readonly count: number;
  /** The desired number of Pods. */
  readonly size: number;
  /** All that is known but for a picker's answer. */
  readonly facts: Facts;
}

/** How far asking a picker about a removal has come. */
export type PickerProgress =
  /** The workload has no picker: decide. */
  | { readonly kind: "none" }
  | UnaskedPicker
  /** A call is under way, and its answer enqueues the workload: put the decision off. */
  | { readonly kind: "pending" }
  /** The Pods that an answer protects hold this removal back, and it is not time to ask again. */
  | StandingProtection
  | SettledPicker;

/** What an answer says that is used more than once. */
export interface StandingProtection {
  readonly kind: "standing";
  /** The names of the Pods that may not go. */
  readonly protects: ReadonlySet<string>;
}

/** Whether costs or labels override the picker, which is reported by an event. */
interface Conflicting {
  readonly isConflict: boolean;
}

/** A call has to be made first, in place of an earlier one. */
export interface UnaskedPicker extends Conflicting {
  readonly kind: "not-asked";
  readonly question: AskedQuestion;
  readonly deadlineAt: Instant;
}

/** A picker has answered, failed, or was not needed: decide, with its picks if there are any. */
export interface SettledPicker extends Conflicting {
  readonly kind: "settled";
  /** For the decision record. */
  readonly outcome: JsonObject;
  readonly picks?: Picks;
  /** The names of the Pods that may not go; absent: none. */
  readonly protects?: ReadonlySet<string>;
  /** What it was asked; absent if it was not needed. */
  readonly question?: AskedQuestion;
  /** How many Pods it was asked about, if it was: when more have to go by now, the rest is another decision. */
  readonly count?: number;
  readonly protocol: PickerProtocol;
  /** Absent if the picker was not needed. */
  readonly completed?: CompletedCall;
  /** Whether the metrics have counted it: a call is counted when it ends. */
  readonly isCounted: boolean;
}

/** Decides what a removal does about its picker: ask, wait, or use what came of asking. */
export function pickerProgress({ picker }: PickerState, request: RemovalRequest): PickerProgress {
  if (picker === undefined) return { kind: "none" };
  const progress = progressOf(picker, request);
  if (progress.kind === "pending" || progress.kind === "standing") return progress;
  const { pods, facts } = request;
  return { ...progress, isConflict: picker.call === undefined && overrulesPicker(pods, facts.gates) };
}

type Progress =
  | { readonly kind: "pending" }
  | StandingProtection
  | Omit<UnaskedPicker, "isConflict">
  | Omit<SettledPicker, "isConflict">;

function progressOf(picker: KnownPicker, request: RemovalRequest): Progress {
  const { protocol, refusal, call, standing } = picker;
  const question = askedQuestion(picker, request);
  if (question === undefined) return notNeeded(protocol);
  if (
    standing !== undefined &&
    request.facts.now < standing.askAgainAt &&
    coversAll(standing.question, question)
  )
    return { kind: "standing", protects: standing.protects };
  if (refusal !== undefined) return settledWithoutCall(question, picker, refusal);
  if (call === undefined) return unasked(picker, question);
  // More may have to go by now: the call is about those that had to go when it began.
  const count = Math.min(request.count, call.question.count);
  const covered = count === request.count ? question : askedQuestion(picker, { ...request, count });
  if (covered === undefined) return { ...notNeeded(protocol), count };
  return progressOfCall(call, picker, covered);
}

/** What the picker would be asked about a removal; `undefined` when the rules above it leave nothing to choose. */
function askedQuestion({ json }: KnownPicker, request: RemovalRequest): AskedQuestion | undefined {
  const { pods, size, count, facts } = request;
  const question = pickerQuestion(pods, count, facts);
  if (question.kind === "NotNeeded") return undefined;
  const { requested } = question;
  const candidates = new Map(question.candidates.map(({ metadata }) => [metadata.uid, metadata.name]));
  return { picker: json, size, count, requested, candidates };
}

/** Requests a call. It gets the whole timeout, or what an earlier call has left of it. */
function unasked(picker: KnownPicker, question: AskedQuestion): Progress {
  const { now, timeoutMs, call } = picker;
  const deadlineAt = call?.deadlineAt ?? now + timeoutMs;
  return now < deadlineAt
    ? { kind: "not-asked", question, deadlineAt }
    : settledWithoutCall(question, picker, { class: "Timeout" });
}

/**
 * Decides whether a call, or its outcome, still applies to the part of a scale-down that it was made for. A failed or
 * empty outcome applies whatever has changed, and a failed one to all that have to go: another call would only delay the
 * scale-down.
 */
function progressOfCall(call: AskedPicker, picker: KnownPicker, question: AskedQuestion): Progress {
  const { state } = call;
  const areMet = stillHolds(call.question, question);
  if (state.kind === "in flight") return areMet ? { kind: "pending" } : unasked(picker, question);
  if (picker.now >= state.expiresAt) return unasked(picker, question);
  if (areMet && state.outcome.kind === "answered")
    return { ...usedOutcome(state, call, picker), count: question.count };
  return isRanked(state.outcome) ? unasked(picker, question) : usedOutcome(state, call, picker);
}

function isRanked(outcome: PickerOutcome): boolean {
  return outcome.kind === "answered" && outcome.answer.kind === "Ranked";
}

function stillHolds(then: AskedQuestion, now: AskedQuestion): boolean {
  return now.size <= then.size && now.requested <= then.requested && coversAll(then, now);
}

/** Whether the same picker was asked about all of the candidates. */
function coversAll(then: AskedQuestion, now: AskedQuestion): boolean {
  return then.picker === now.picker && [...now.candidates.keys()].every((uid) => then.candidates.has(uid));
}

type Settled = Omit<SettledPicker, "isConflict">;

function usedOutcome(
  { outcome, tookMs }: Extract<CallState, { readonly kind: "completed" }>,
  { question }: AskedPicker,
  picker: KnownPicker,
): Settled {
  const { protocol } = picker;
  const completed = { protocol, outcome, tookMs, ...requestSize(question) };
  return { ...settledBy(completed, question, picker), isCounted: true };
}

/** No call can be made: the deadline has passed, the settings are invalid, or the picker keeps failing. */
function settledWithoutCall(question: AskedQuestion, picker: KnownPicker, failure: CallFailure): Settled {
  const outcome = { kind: "failed", failure, attempts: 0 } as const;
  const completed = { protocol: picker.protocol, outcome, tookMs: 0, ...requestSize(question) };
  return { ...settledBy(completed, question, picker), isCounted: false };
}

/** The rules above the picker decide. */
function notNeeded(protocol: PickerProtocol): Settled {
  return { kind: "settled", outcome: notNeededRecord(protocol), protocol, isCounted: false };
}

function settledBy(
  completed: CompletedCall,
  question: AskedQuestion,
  { standing }: KnownPicker,
): Omit<Settled, "isCounted"> {
  const { outcome, protocol } = completed;
  const protects = protectedBy(outcome, standing);
  const settled = {
    kind: "settled",
    outcome: outcomeRecord(completed),
    protocol,
    completed,
    ...(protects === undefined ? {} : { protects, question }),
  } as const;
  if (outcome.kind === "failed" || outcome.answer.kind !== "Ranked") return settled;
  const { chosen, tied } = outcome.answer;
  return { ...settled, picks: { chosen, tied } };
}

/** What an outcome protects. A failure takes back no protection: a busy Pod is busy while its picker restarts, too. */
function protectedBy(
  outcome: PickerOutcome,
  standing: StandingAnswer | undefined,
): ReadonlySet<string> | undefined {
  return outcome.kind === "failed" ? standing?.protects : outcome.answer.protects;
}

/** How many Pods a question requests, and from how many candidates. */
export function requestSize({
  requested,
  candidates,
}: AskedQuestion): Pick<CompletedCall, "requested" | "candidates"> {
  return { requested, candidates: candidates.size };
}
