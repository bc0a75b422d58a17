import type { FeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import type { RemovalRequest } from "../decisions/downscale/picker-progress.ts";
import { pickerQuestion } from "../decisions/downscale/picker-question.ts";
import { invalidPicker, type PickerHealth } from "../decisions/replicas/picker-condition.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { CallDependencies } from "./call/call-picker.ts";
import {
  type CallProgress,
  notNeeded,
  progressOfCall,
  type SettledCall,
  settledWithoutCall,
  type UnaskedCall,
  unaskedCall,
} from "./call/call-progress.ts";
import { CallTracker } from "./call/call-tracker.ts";
import type { PickerCall, ScaleDown } from "./call/picker-call.ts";
import { overrulesPicker, recordConflict, recordOutcome } from "./picker-events.ts";
import { permanentFailure } from "./picker-failure.ts";
import { healthOf, PickerHealthLog } from "./picker-health.ts";
import type { PickerMetrics } from "./picker-metrics.ts";
import { type CompletedCall, outcomeRecord } from "./picker-outcome.ts";
import { type PickerSettings, readPicker } from "./picker-settings.ts";
import { workloadOf } from "./picker-workload.ts";

export interface PickerClientOptions extends CallDependencies {
  readonly events: EventRecorder;
  readonly metrics: PickerMetrics;
  readonly log: Logger;
}

/** Whether costs or labels override the picker, which is reported by an event. */
interface Conflicting {
  readonly isConflict: boolean;
}

/** The `PickerProgress` of the ReplicaSet controller, with what its actions need. */
type ClientProgress =
  | { readonly kind: "none" }
  | { readonly kind: "pending" }
  | (UnaskedCall & Conflicting)
  | (SettledCall & Conflicting);

/**
 * Implements the ReplicaSet controller's PickerPort. Calls run in the background and never block a worker: when a call
 * has ended, the client enqueues the ReplicaSet, and the next reconcile uses the outcome, once. Calls and outcomes are
 * lost when the process ends.
 */
export class PickerClient {
  readonly #options: PickerClientOptions;
  readonly #calls: CallTracker;
  readonly #health = new PickerHealthLog();

  constructor(options: PickerClientOptions) {
    this.#options = options;
    const { log } = options;
    const onCompleted = (call: PickerCall, completed: CompletedCall) => {
      const picker = call.preconditions.picker;
      this.#health.record(call.workload, { picker, lastOutcome: completed.outcome }, options.clock.now());
      this.#measure(call.key, completed);
    };
    this.#calls = new CallTracker({ dependencies: options, log, onCompleted });
    options.metrics.observeInFlight(() => this.inFlight());
  }

  /** The state of the call for a removal; changes nothing. */
  progressOf(owner: ReplicaSet, request: RemovalRequest): ClientProgress {
    const { pods, facts } = request;
    const picker = facts.gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) return { kind: "none" };
    const call = this.#calls.of(owner);
    const isConflict = call === undefined && overrulesPicker(pods, facts.gates);
    const progress = this.#progressOf({ owner, picker, call }, request);
    return progress.kind === "pending" ? progress : { ...progress, isConflict };
  }

  #progressOf({ owner, picker, call }: PickedOwner, { pods, count, facts }: RemovalRequest): CallProgress {
    const read = readPicker(picker);
    const settings = read.ok ? read.settings : undefined;
    const question = pickerQuestion(pods, count, facts);
    if (question.kind === "NotNeeded") return notNeeded(settings);
    const scaleDown = { owner, picker, count, question, now: this.#options.clock.now() };
    if (!read.ok)
      return settledWithoutCall(scaleDown, permanentFailure("InvalidConfig", { problem: read.problem }));
    if (call === undefined) return this.#unasked(scaleDown, read.settings);
    // More may have to go by now: the call is about those that had to go when it began.
    const asked = Math.min(count, call.preconditions.count);
    const askedQuestion = asked === count ? question : pickerQuestion(pods, asked, facts);
    if (askedQuestion.kind === "NotNeeded") return notNeeded(settings, asked);
    return progressOfCall(call, { ...scaleDown, count: asked, question: askedQuestion }, read.settings);
  }

  /** A call for a scale-down without one, unless the picker keeps failing. */
  #unasked(scaleDown: ScaleDown, settings: PickerSettings): CallProgress {
    const { owner, picker, now } = scaleDown;
    const { uid } = workloadOf(owner);
    const { suspendedUntil } = this.#health.of(uid, JSON.stringify(picker)) ?? {};
    const trial = this.#health.trialOf(uid);
    const isTried = trial !== undefined && this.#calls.has(trial);
    const isSuspended = suspendedUntil !== undefined && (now < suspendedUntil || isTried);
    return isSuspended
      ? settledWithoutCall(scaleDown, permanentFailure("Suspended"), settings.protocol)
      : unaskedCall(scaleDown, settings);
  }

  isAsked(key: string): boolean {
    return this.#calls.has(key);
  }

  healthOf(owner: ReplicaSet, gates: FeatureGates): PickerHealth {
    const picker = gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) return { kind: "none" };
    const read = readPicker(picker);
    if (!read.ok)
      return { kind: "failing", reason: invalidPicker, message: `The pod picker: ${read.problem}.` };
    const { uid } = workloadOf(owner);
    const record = this.#health.of(uid, JSON.stringify(picker));
    if (record !== undefined) return healthOf(record);
    return { kind: this.#health.has(uid) ? "none" : "unknown" };
  }

  ask(owner: ReplicaSet, { scaleDown, settings, deadlineAt, isConflict }: UnaskedCall & Conflicting): void {
    if (isConflict) recordConflict(owner, this.#options.events);
    this.#health.beginTrial(workloadOf(owner).uid, keyOf(owner));
    this.#calls.begin(scaleDown, { settings, deadlineAt });
  }

  /** Records that an outcome is used, and discards it: it is used once. */
  settle(owner: ReplicaSet, settled: SettledCall & Conflicting): void {
    const { protocol, completed, isCounted, isConflict } = settled;
    const { events, metrics } = this.#options;
    if (isConflict) recordConflict(owner, events);
    if (completed === undefined) metrics.onNotNeeded(protocol);
    else if (!isCounted) this.#measure(keyOf(owner), completed);
    this.dismiss(keyOf(owner));
    if (completed === undefined) return;
    const picker = JSON.stringify(downscalePodPickerOf(owner));
    const { suspendedUntil } = this.#health.of(workloadOf(owner).uid, picker) ?? {};
    recordOutcome(owner, { outcome: completed.outcome, suspendedUntil }, events);
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

/** A ReplicaSet with a picker, as the object has it, and its call if there is one. */
interface PickedOwner {
  readonly owner: ReplicaSet;
  readonly picker: unknown;
  readonly call: PickerCall | undefined;
}
