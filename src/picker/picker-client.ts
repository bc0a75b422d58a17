import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { keyOf } from "../api/object.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import type { Facts, Picks } from "../decisions/downscale/facts.ts";
import { pickerQuestion } from "../decisions/downscale/picker-question.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { CallDependencies } from "./call-picker.ts";
import { CallTracker, requestSize } from "./call-tracker.ts";
import { nextAction, type ScaleDown } from "./picker-call.ts";
import { overrulesPicker, recordConflict, recordOutcome } from "./picker-events.ts";
import { permanentFailure, type PickerFailure } from "./picker-failure.ts";
import type { PickerMetrics } from "./picker-metrics.ts";
import { type CompletedCall, notNeededRecord, outcomeRecord } from "./picker-outcome.ts";
import { type PickerSettings, readPickerSettings } from "./picker-settings.ts";

export interface PickerClientOptions extends CallDependencies {
  readonly events: EventRecorder;
  readonly metrics: PickerMetrics;
  readonly log: Logger;
}

/** A scale-down: `count` of these Pods have to be deleted. */
export interface RemovalRequest {
  readonly pods: readonly Pod[];
  readonly count: number;
  readonly facts: Facts;
}

/** The state of a call, as the ReplicaSet controller's PickerPort defines it; this layer may not import that. */
export type PickerProgress =
  | { readonly kind: "none" }
  | { readonly kind: "pending" }
  | { readonly kind: "settled"; readonly outcome: JsonObject; readonly picks?: Picks };

/** Why a scale-down is decided without a call. */
interface SkippedCall {
  readonly failure: PickerFailure;
  readonly settings?: PickerSettings;
}

/**
 * Implements the ReplicaSet controller's PickerPort. Calls run in the background and never block a worker: when a call
 * has ended, the client enqueues the ReplicaSet, and the next reconcile uses the outcome, once. Nothing is stored outside
 * the process.
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

  on(owner: ReplicaSet, { pods, count, facts }: RemovalRequest): PickerProgress {
    const { clock, events } = this.#options;
    const picker = facts.gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) {
      this.dismiss(keyOf(owner));
      return { kind: "none" };
    }
    const isNew = this.#calls.of(owner) === undefined;
    if (isNew && overrulesPicker(pods, facts.gates)) recordConflict(owner, events);
    const settings = readPickerSettings(picker);
    const question = pickerQuestion(pods, count, facts);
    return question.kind === "NotNeeded"
      ? this.#skip(keyOf(owner), settings)
      : this.#proceed({ owner, picker, question, now: clock.now() }, settings);
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

  /** The rules above the picker decide: no call is needed. */
  #skip(key: string, settings: PickerSettings | undefined): PickerProgress {
    this.dismiss(key);
    const protocol = settings?.protocol ?? "none";
    this.#options.metrics.onNotNeeded(protocol);
    return { kind: "settled", outcome: notNeededRecord(protocol) };
  }

  #proceed(scaleDown: ScaleDown, settings: PickerSettings | undefined): PickerProgress {
    if (settings === undefined) return this.#fail(scaleDown, { failure: permanentFailure("InvalidConfig") });
    const { owner, now } = scaleDown;
    const call = this.#calls.of(owner);
    if (call === undefined) return this.#begin(scaleDown, settings, now + settings.timeoutMs);
    const next = nextAction(call, scaleDown);
    switch (next.kind) {
      case "wait":
        return { kind: "pending" };
      case "use": {
        const { protocol } = settings;
        return this.#settle(owner, { ...next.completed, ...requestSize(call), protocol });
      }
      case "call again":
        this.dismiss(keyOf(owner));
        return now < call.deadlineAt
          ? this.#begin(scaleDown, settings, call.deadlineAt)
          : this.#fail(scaleDown, { failure: permanentFailure("Timeout"), settings });
    }
  }

  #begin(scaleDown: ScaleDown, settings: PickerSettings, deadlineAt: number): PickerProgress {
    this.#calls.begin(scaleDown, { settings, deadlineAt });
    return { kind: "pending" };
  }

  /** Ends without a call: the settings are invalid, or the deadline has passed. */
  #fail({ owner, question }: ScaleDown, { failure, settings }: SkippedCall): PickerProgress {
    const { requested, candidates } = question;
    const call: CompletedCall = {
      protocol: settings?.protocol ?? "none",
      outcome: { kind: "failed", failure, attempts: 0 },
      requested,
      candidates: candidates.length,
      tookMs: 0,
    };
    this.#measure(keyOf(owner), call);
    return this.#settle(owner, call);
  }

  #settle(owner: ReplicaSet, call: CompletedCall): PickerProgress {
    this.dismiss(keyOf(owner)); // an outcome is used once
    recordOutcome(owner, call.outcome, this.#options.events);
    const outcome = outcomeRecord(call);
    if (call.outcome.kind === "failed" || call.outcome.answer.kind !== "Ranked")
      return { kind: "settled", outcome };
    const { chosen, tied } = call.outcome.answer;
    return { kind: "settled", outcome, picks: { chosen, tied } };
  }

  #measure(key: string, call: CompletedCall): void {
    this.#options.metrics.onCompleted(call);
    this.#options.log.debug("pod picker called", { key, ...outcomeRecord(call) });
  }
}
