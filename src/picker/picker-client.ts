import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import type { RemovalRequest, SettledPicker, UnaskedPicker } from "../decisions/downscale/picker-progress.ts";
import { pickerQuestion } from "../decisions/downscale/picker-question.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { CallDependencies } from "./call-picker.ts";
import { type CallPlan, CallTracker, requestSize } from "./call-tracker.ts";
import { nextAction, type PickerCall, type ScaleDown } from "./picker-call.ts";
import { overrulesPicker, recordConflict, recordOutcome } from "./picker-events.ts";
import { permanentFailure, type PickerFailure } from "./picker-failure.ts";
import type { PickerMetrics } from "./picker-metrics.ts";
import { type CompletedCall, notNeededRecord, outcomeRecord } from "./picker-outcome.ts";
import { type PickerSettings, readPicker } from "./picker-settings.ts";

export interface PickerClientOptions extends CallDependencies {
  readonly events: EventRecorder;
  readonly metrics: PickerMetrics;
  readonly log: Logger;
}

/** A call that has to be made. */
interface UnaskedCall extends UnaskedPicker, CallPlan {
  readonly scaleDown: ScaleDown;
  /** Whether costs or labels override the picker, which is reported by an event. */
  readonly isConflict: boolean;
}

/** An outcome that can be used for a decision. */
interface SettledCall extends SettledPicker {
  readonly protocol: CompletedCall["protocol"];
  /** Absent if the picker was not needed. */
  readonly completed?: CompletedCall;
  /** Whether the metrics have counted it: a call is counted when it ends. */
  readonly isCounted: boolean;
  readonly isConflict: boolean;
}

/** The `PickerProgress` of the ReplicaSet controller, with what its actions need. */
type ClientProgress = { readonly kind: "none" } | { readonly kind: "pending" } | UnaskedCall | SettledCall;

/**
 * Implements the ReplicaSet controller's PickerPort. Calls run in the background and never block a worker: when a call
 * has ended, the client enqueues the ReplicaSet, and the next reconcile uses the outcome, once. Calls and outcomes are
 * lost when the process ends.
 */
export class PickerClient {
  readonly #options: PickerClientOptions;
  readonly #calls: CallTracker;

  constructor(options: PickerClientOptions) {
    this.#options = options;
    const onCompleted = (key: string, call: CompletedCall) => this.#measure(key, call);
    this.#calls = new CallTracker({ dependencies: options, log: options.log, onCompleted });
    options.metrics.observeInFlight(() => this.inFlight());
  }

  /** The state of the call for a removal; changes nothing. */
  progressOf(owner: ReplicaSet, { pods, count, facts }: RemovalRequest): ClientProgress {
    const picker = facts.gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) return { kind: "none" };
    const call = this.#calls.of(owner);
    const isConflict = call === undefined && overrulesPicker(pods, facts.gates);
    const read = readPicker(picker);
    const question = pickerQuestion(pods, count, facts);
    if (question.kind === "NotNeeded")
      return { ...notNeeded(read.ok ? read.settings : undefined), isConflict };
    const scaleDown = { owner, picker, question, now: this.#options.clock.now() };
    if (!read.ok) {
      const failure = permanentFailure("InvalidConfig", { problem: read.problem });
      return { ...settledWithoutCall(scaleDown, failure), isConflict };
    }
    const progress = progressOfCall(call, scaleDown, read.settings);
    return progress.kind === "pending" ? progress : { ...progress, isConflict };
  }

  isAsked(key: string): boolean {
    return this.#calls.has(key);
  }

  ask(owner: ReplicaSet, { scaleDown, settings, deadlineAt, isConflict }: UnaskedCall): void {
    if (isConflict) recordConflict(owner, this.#options.events);
    this.#calls.begin(scaleDown, { settings, deadlineAt });
  }

  /** Records that an outcome is used, and discards it: it is used once. */
  settle(owner: ReplicaSet, { protocol, completed, isCounted, isConflict }: SettledCall): void {
    const { events, metrics } = this.#options;
    if (isConflict) recordConflict(owner, events);
    if (completed === undefined) metrics.onNotNeeded(protocol);
    else if (!isCounted) this.#measure(keyOf(owner), completed);
    this.dismiss(keyOf(owner));
    if (completed !== undefined) recordOutcome(owner, completed.outcome, events);
  }

  /** Cancels the call of this ReplicaSet and discards its outcome. */
  dismiss(key: string): void {
    this.#calls.cancel(key);
  }

  /** The client has no cache that would have to be filled. */
  synced(): Promise<boolean> {
    return Promise.resolve(true);
  }

  start(queue: KeyQueue): () => void {
    return this.#calls.start(queue);
  }

  inFlight(): number {
    return this.#calls.inFlight();
  }

  #measure(key: string, call: CompletedCall): void {
    this.#options.metrics.onCompleted(call);
    this.#options.log.debug("pod picker called", { key, ...outcomeRecord(call) });
  }
}

type CallProgress =
  | { readonly kind: "pending" }
  | Omit<UnaskedCall, "isConflict">
  | Omit<SettledCall, "isConflict">;

/** Decides what a scale-down that needs a picker does: make a call, wait for the existing one, or use its outcome. */
function progressOfCall(
  call: PickerCall | undefined,
  scaleDown: ScaleDown,
  settings: PickerSettings,
): CallProgress {
  const { now } = scaleDown;
  const unasked = (deadlineAt: number) => ({ kind: "not-asked", scaleDown, settings, deadlineAt }) as const;
  if (call === undefined) return unasked(now + settings.timeoutMs);
  const { protocol } = settings;
  const next = nextAction(call, scaleDown);
  switch (next.kind) {
    case "wait":
      return { kind: "pending" };
    case "use":
      return { ...settledBy({ ...next.completed, ...requestSize(call), protocol }), isCounted: true };
    case "call again":
      return now < call.deadlineAt
        ? unasked(call.deadlineAt)
        : settledWithoutCall(scaleDown, permanentFailure("Timeout"), protocol);
  }
}

/** The rules above the picker decide. */
function notNeeded(settings: PickerSettings | undefined): Omit<SettledCall, "isConflict"> {
  const protocol = settings?.protocol ?? "none";
  return { kind: "settled", outcome: notNeededRecord(protocol), protocol, isCounted: false };
}

/** No call can be made: the deadline has passed, or the settings are invalid. */
function settledWithoutCall(
  { question }: ScaleDown,
  failure: PickerFailure,
  protocol: CompletedCall["protocol"] = "none",
): Omit<SettledCall, "isConflict"> {
  const { requested, candidates } = question;
  const outcome = { kind: "failed", failure, attempts: 0 } as const;
  const completed = { protocol, outcome, requested, candidates: candidates.length, tookMs: 0 };
  return { ...settledBy(completed), isCounted: false };
}

function settledBy(completed: CompletedCall): Omit<SettledCall, "isConflict" | "isCounted"> {
  const { outcome, protocol } = completed;
  const settled = { kind: "settled", outcome: outcomeRecord(completed), protocol, completed } as const;
  if (outcome.kind === "failed" || outcome.answer.kind !== "Ranked") return settled;
  const { chosen, tied } = outcome.answer;
  return { ...settled, picks: { chosen, tied } };
}
