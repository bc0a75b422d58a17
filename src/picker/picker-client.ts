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
import { type ScaleDown, nextAction } from "./picker-call.ts";
import { requestSize, CallTracker } from "./call-tracker.ts";
import { permanentFailure, type PickerFailure } from "./picker-failure.ts";
import type { PickerMetrics } from "./picker-metrics.ts";
import { recordConflict, recordOutcome, overrulesPicker } from "./picker-events.ts";
import { type CompletedCall, notNeededRecord, outcomeRecord } from "./picker-outcome.ts";
import { type PickerSettings, readPickerSettings } from "./picker-settings.ts";

export interface PickerClientOptions extends CallDependencies {
  readonly events: EventRecorder;
  readonly metrics: PickerMetrics;
  readonly log: Logger;
}

/** Why there will be no call. */
interface Shortfall {
  readonly failure: PickerFailure;
  readonly settings?: PickerSettings;
}

/** What a picker is to help with: some of these Pods have to go. */
export interface Dilemma {
  readonly pods: readonly Pod[];
  readonly count: number;
  readonly facts: Facts;
}

/** How far the asking has come; see the port of the ReplicaSet controller, which this fits. */
export type Consultation =
  | { readonly kind: "none" }
  | { readonly kind: "pending" }
  | { readonly kind: "settled"; readonly outcome: JsonObject; readonly picks?: Picks };

/**
 * Asks pod pickers for the ReplicaSet controller without ever keeping it waiting: a call runs by itself, wakes the
 * ReplicaSet when it has ended, and its answer is good for one decision. Nothing of it outlives the process.
 */
export class PickerClient {
  readonly #options: PickerClientOptions;
  readonly #episodes: CallTracker;

  constructor(options: PickerClientOptions) {
    this.#options = options;
    const ended = (key: string, consulted: CompletedCall) => this.#count(key, consulted);
    this.#episodes = new CallTracker({ means: options, log: options.log, ended });
    options.metrics.observeInFlight(() => this.inFlight());
  }

  on(owner: ReplicaSet, { pods, count, facts }: Dilemma): Consultation {
    const { clock, events } = this.#options;
    const picker = facts.gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) {
      this.dismiss(keyOf(owner));
      return { kind: "none" };
    }
    const isNew = this.#episodes.of(owner) === undefined;
    if (isNew && overrulesPicker(pods, facts.gates)) recordConflict(owner, events);
    const settings = readPickerSettings(picker);
    const question = pickerQuestion(pods, count, facts);
    return question.kind === "NotNeeded"
      ? this.#rest(keyOf(owner), settings)
      : this.#proceed({ owner, picker, question, now: clock.now() }, settings);
  }

  /** Whatever was asked for this workload is void. */
  dismiss(key: string): void {
    this.#episodes.dismiss(key);
  }

  /** There is nothing to be read before anybody can be asked. */
  synced(): Promise<boolean> {
    return Promise.resolve(true);
  }

  start(queue: KeyQueue): () => void {
    return this.#episodes.start(queue);
  }

  inFlight(): number {
    return this.#episodes.inFlight();
  }

  /** Nothing is open: nobody need be asked. */
  #rest(key: string, settings: PickerSettings | undefined): Consultation {
    this.dismiss(key);
    const protocol = settings?.protocol ?? "none";
    this.#options.metrics.onNotNeeded(protocol);
    return { kind: "settled", outcome: notNeededRecord(protocol) };
  }

  #proceed(occasion: ScaleDown, settings: PickerSettings | undefined): Consultation {
    if (settings === undefined) return this.#fail(occasion, { failure: permanentFailure("InvalidConfig") });
    const { owner, now } = occasion;
    const episode = this.#episodes.of(owner);
    if (episode === undefined) return this.#ask(occasion, settings, now + settings.timeoutMs);
    const next = nextAction(episode, occasion);
    switch (next.kind) {
      case "wait":
        return { kind: "pending" };
      case "use": {
        const { protocol } = settings;
        return this.#settle(owner, { ...next.answer, ...requestSize(episode), protocol });
      }
      case "ask again":
        this.dismiss(keyOf(owner));
        return now < episode.endsAt
          ? this.#ask(occasion, settings, episode.endsAt)
          : this.#fail(occasion, { failure: permanentFailure("Timeout"), settings });
    }
  }

  #ask(occasion: ScaleDown, settings: PickerSettings, endsAt: number): Consultation {
    this.#episodes.begin(occasion, { settings, endsAt });
    return { kind: "pending" };
  }

  /** The end without a call: for want of time, or of settings that make sense. */
  #fail({ owner, question }: ScaleDown, { failure, settings }: Shortfall): Consultation {
    const { requested, candidates } = question;
    const consulted: CompletedCall = {
      protocol: settings?.protocol ?? "none",
      finding: { kind: "failed", failure, attempts: 0 },
      requested,
      candidates: candidates.length,
      tookMs: 0,
    };
    this.#count(keyOf(owner), consulted);
    return this.#settle(owner, consulted);
  }

  #settle(owner: ReplicaSet, consulted: CompletedCall): Consultation {
    this.dismiss(keyOf(owner)); // an answer is used once
    const { finding } = consulted;
    recordOutcome(owner, finding, this.#options.events);
    const outcome = outcomeRecord(consulted);
    if (finding.kind === "failed" || finding.answer.kind !== "Ranked") return { kind: "settled", outcome };
    const { chosen, tied } = finding.answer;
    return { kind: "settled", outcome, picks: { chosen, tied } };
  }

  #count(key: string, consulted: CompletedCall): void {
    this.#options.metrics.onCompleted(consulted);
    this.#options.log.debug("pod picker consulted", { key, ...outcomeRecord(consulted) });
  }
}
