import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import type { RemovalRequest, SettledPicker, UnaskedPicker } from "../decisions/downscale/picker-progress.ts";
import { pickerQuestion } from "../decisions/downscale/picker-question.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { CallDependencies } from "./call-picker.ts";
import { nextAction, type PickerCall, type ScaleDown } from "./picker-call.ts";
import { type CallPlan, CallTracker, requestSize } from "./call-tracker.ts";
import { permanentFailure, type PickerFailure } from "./picker-failure.ts";
import type { PickerMetrics } from "./picker-metrics.ts";
import { overrulesPicker, recordConflict, recordOutcome } from "./picker-events.ts";
import { type CompletedCall, notNeededRecord, outcomeRecord } from "./picker-outcome.ts";
import { type PickerSettings, readPickerSettings } from "./picker-settings.ts";

export interface PickerClientOptions extends CallDependencies {
  readonly events: EventRecorder;
  readonly metrics: PickerMetrics;
  readonly log: Logger;
}

/** A call that has to be made. */
interface UnaskedCall extends UnaskedPicker, CallPlan {
  readonly scaleDown: ScaleDown;
  /** Whether it is worth an event that the picker may be overruled. */
  readonly isConflict: boolean;
}

/** An outcome that can be used for a decision. */
interface SettledCall extends SettledPicker {
  readonly protocol: CompletedCall["protocol"];
  /** Absent: the picker was not needed. */
  readonly completed?: CompletedCall;
  /** Whether a call was made: then it was counted when it ended. */
  readonly isCounted: boolean;
  readonly isConflict: boolean;
}

/** The `PickerProgress` of the ReplicaSet controller, with what its actions need. */
type ClientProgress = { readonly kind: "none" } | { readonly kind: "pending" } | UnaskedCall | SettledCall;

/**
 * Asks pod pickers for the ReplicaSet controller without blocking it: a call runs by itself, enqueues its ReplicaSet
 * when it has ended, and its answer is used for one decision. Calls and answers are lost when the process ends.
 */
export class PickerClient {
  readonly #options: PickerClientOptions;
  readonly #calls: CallTracker;

  constructor(options: PickerClientOptions) {
    this.#options = options;
    const ended = (key: string, completed: CompletedCall) => this.#count(key, completed);
    this.#calls = new CallTracker({ means: options, log: options.log, ended });
    options.metrics.observeInFlight(() => this.inFlight());
  }

  /** How far asking about a removal has come; changes nothing. */
  progressOf(owner: ReplicaSet, { pods, count, facts }: RemovalRequest): ClientProgress {
    const picker = facts.gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) return { kind: "none" };
    const call = this.#calls.of(owner);
    const isConflict = call === undefined && overrulesPicker(pods, facts.gates);
    const settings = readPickerSettings(picker);
    const question = pickerQuestion(pods, count, facts);
    if (question.kind === "NotNeeded") return { ...notNeeded(settings), isConflict };
    const scaleDown = { owner, picker, question, now: this.#options.clock.now() };
    if (settings === undefined)
      return { ...settledWithoutCall(scaleDown, permanentFailure("InvalidConfig")), isConflict };
    const progress = progressOfCall(call, scaleDown, settings);
    return progress.kind === "pending" ? progress : { ...progress, isConflict };
  }

  isAsked(key: string): boolean {
    return this.#calls.has(key);
  }

  ask(owner: ReplicaSet, { scaleDown, settings, endsAt, isConflict }: UnaskedCall): void {
    if (isConflict) recordConflict(owner, this.#options.events);
    this.#calls.begin(scaleDown, { settings, endsAt });
  }

  /** Takes note that an outcome is used: an answer is used once. */
  settle(owner: ReplicaSet, { protocol, completed, isCounted, isConflict }: SettledCall): void {
    const { events, metrics } = this.#options;
    if (isConflict) recordConflict(owner, events);
    if (completed === undefined) metrics.onNotNeeded(protocol);
    else if (!isCounted) this.#count(keyOf(owner), completed);
    this.dismiss(keyOf(owner));
    if (completed !== undefined) recordOutcome(owner, completed.finding, events);
  }

  /** Aborts a call and drops its answer. */
  dismiss(key: string): void {
    this.#calls.dismiss(key);
  }

  /** A picker can be asked at once. */
  synced(): Promise<boolean> {
    return Promise.resolve(true);
  }

  start(queue: KeyQueue): () => void {
    return this.#calls.start(queue);
  }

  inFlight(): number {
    return this.#calls.inFlight();
  }

  #count(key: string, completed: CompletedCall): void {
    this.#options.metrics.onCompleted(completed);
    this.#options.log.debug("pod picker consulted", { key, ...outcomeRecord(completed) });
  }
}

type CallProgress =
  | { readonly kind: "pending" }
  | Omit<UnaskedCall, "isConflict">
  | Omit<SettledCall, "isConflict">;

/** What becomes of a scale-down that needs a picker: a new call, the one there is, or its answer. */
function progressOfCall(
  call: PickerCall | undefined,
  scaleDown: ScaleDown,
  settings: PickerSettings,
): CallProgress {
  const { now } = scaleDown;
  const unasked = (endsAt: number) => ({ kind: "not-asked", scaleDown, settings, endsAt }) as const;
  if (call === undefined) return unasked(now + settings.timeoutMs);
  const { protocol } = settings;
  const next = nextAction(call, scaleDown);
  switch (next.kind) {
    case "wait":
      return { kind: "pending" };
    case "use":
      return { ...settledBy({ ...next.answer, ...requestSize(call), protocol }), isCounted: true };
    case "ask again":
      return now < call.endsAt
        ? unasked(call.endsAt)
        : settledWithoutCall(scaleDown, permanentFailure("Timeout"), protocol);
  }
}

/** The rules above the picker decide. */
function notNeeded(settings: PickerSettings | undefined): Omit<SettledCall, "isConflict"> {
  const protocol = settings?.protocol ?? "none";
  return { kind: "settled", outcome: notNeededRecord(protocol), protocol, isCounted: false };
}

/** No call can be made: there is no time left, or the settings are invalid. */
function settledWithoutCall(
  { question }: ScaleDown,
  failure: PickerFailure,
  protocol: CompletedCall["protocol"] = "none",
): Omit<SettledCall, "isConflict"> {
  const { requested, candidates } = question;
  const finding = { kind: "failed", failure, attempts: 0 } as const;
  const completed = { protocol, finding, requested, candidates: candidates.length, tookMs: 0 };
  return { ...settledBy(completed), isCounted: false };
}

function settledBy(completed: CompletedCall): Omit<SettledCall, "isConflict" | "isCounted"> {
  const { finding, protocol } = completed;
  const settled = { kind: "settled", outcome: outcomeRecord(completed), protocol, completed } as const;
  if (finding.kind === "failed" || finding.answer.kind !== "Ranked") return settled;
  const { chosen, tied } = finding.answer;
  return { ...settled, picks: { chosen, tied } };
}
