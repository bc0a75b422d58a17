import type { FeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import { type CompletedCall, outcomeRecord } from "../decisions/downscale/picker-outcome.ts";
import type { SettledPicker, UnaskedPicker } from "../decisions/downscale/picker-progress.ts";
import type {
  KnownPicker,
  PickerHealth,
  PickerState,
  StandingAnswer,
} from "../decisions/downscale/picker-state.ts";
import { invalidPicker } from "../decisions/replicas/picker-condition.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { CallDependencies } from "./call/call-picker.ts";
import { CallTracker, type PickerCall } from "./call/call-tracker.ts";
import { recordConflict, recordOutcome } from "./picker-events.ts";
import { permanentFailure } from "./picker-failure.ts";
import { healthOf, PickerHealthLog } from "./picker-health.ts";
import { type PickerMetrics, pickerMetrics } from "./picker-metrics.ts";
import { type ReadPicker, readPicker } from "./picker-settings.ts";
import { pickerWorkloadOf } from "./picker-workload.ts";
import type { Client } from "../machinery/client/client.ts";
import { type Clock, networkClock } from "../machinery/clock/clock.ts";
import { ClientEventRecorder } from "../machinery/events/event-recorder.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { CallLimiter } from "./call/call-limiter.ts";
import type { PickerConnector } from "./picker-connector.ts";

export interface PickerClientOptions extends CallDependencies {
  readonly events: EventRecorder;
  readonly metrics: PickerMetrics;
  readonly log: Logger;
}

/**
 * Implements the ReplicaSet controller's PickerPort. Calls run in the background and never block a worker: when a call
 * has ended, the client enqueues the ReplicaSet, and the next reconcile uses the outcome, once. Calls and outcomes are
 * lost when the process ends.
 */
export class PickerClient {
  readonly #options: PickerClientOptions;
  readonly #calls: CallTracker;
  readonly #health = new PickerHealthLog();
  /** By the key of the ReplicaSet. */
  readonly #standing = new Map<string, { readonly uid: string; readonly answer: StandingAnswer }>();

  constructor(options: PickerClientOptions) {
    this.#options = options;
    const { log } = options;
    const onCompleted = (call: PickerCall, completed: CompletedCall) => {
      const { picker } = call.question;
      this.#health.record(call.workload, { picker, lastOutcome: completed.outcome }, options.clock.now());
      this.#measure(call.key, completed);
    };
    this.#calls = new CallTracker({ dependencies: options, log, onCompleted });
    options.metrics.observeInFlight(() => this.inFlight());
  }

  /** What is known about the picker of a ReplicaSet; changes nothing. */
  stateOf(owner: ReplicaSet, gates: FeatureGates): PickerState {
    const isAsked = this.#calls.has(keyOf(owner)) || this.#standing.has(keyOf(owner));
    const picker = gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) return { health: { kind: "none" }, isAsked };
    const json = JSON.stringify(picker);
    const read = readPicker(picker);
    const health = read.ok ? this.#healthOf(owner, json) : invalidHealth(read.problem);
    return { health, isAsked, picker: this.#knownPicker(owner, json, read) };
  }

  #knownPicker(owner: ReplicaSet, json: string, read: ReadPicker): KnownPicker {
    const now = this.#options.clock.now();
    if (!read.ok) {
      const refusal = permanentFailure(invalidPicker, { problem: read.problem });
      return { json, protocol: "none", timeoutMs: 0, refusal, now };
    }
    const { protocol, timeoutMs } = read.settings;
    const known = { json, protocol, timeoutMs, now, ...this.#standingOf(owner) };
    const call = this.#calls.of(owner);
    if (call !== undefined) {
      const { question, deadlineAt, state } = call;
      return { ...known, call: { question, deadlineAt, state } };
    }
    return this.#isSuspended(owner, known) ? { ...known, refusal: permanentFailure("Suspended") } : known;
  }

  #standingOf(owner: ReplicaSet): Pick<KnownPicker, "standing"> {
    const standing = this.#standing.get(keyOf(owner));
    return standing?.uid === owner.metadata.uid ? { standing: standing.answer } : {};
  }

  /** Whether the picker keeps failing: until the suspension is over, and while one call is tried after it. */
  #isSuspended(owner: ReplicaSet, { json, now }: Pick<KnownPicker, "json" | "now">): boolean {
    const { uid } = pickerWorkloadOf(owner);
    const { suspendedUntil } = this.#health.of(uid, json) ?? {};
    if (suspendedUntil === undefined) return false;
    const trial = this.#health.trialOf(uid);
    return now < suspendedUntil || (trial !== undefined && this.#calls.has(trial));
  }

  #healthOf(owner: ReplicaSet, json: string): PickerHealth {
    const { uid } = pickerWorkloadOf(owner);
    const record = this.#health.of(uid, json);
    if (record !== undefined) return healthOf(record);
    return { kind: this.#health.has(uid) ? "none" : "unknown" };
  }

  /** Starts the call that a plan asks for. */
  ask(owner: ReplicaSet, unasked: UnaskedPicker): void {
    const read = readPicker(downscalePodPickerOf(owner));
    if (!read.ok) return; // no plan asks a picker that cannot be called
    if (unasked.isConflict) recordConflict(owner, this.#options.events);
    this.#health.beginTrial(pickerWorkloadOf(owner).uid, keyOf(owner));
    this.#calls.begin(owner, unasked, read.settings);
  }

  /** Records that an outcome is used, and discards it; an answer that holds a removal back stands until it is replaced. */
  settle(owner: ReplicaSet, settled: SettledPicker, standing?: StandingAnswer): void {
    const { protocol, completed, isCounted, isConflict } = settled;
    const { events, metrics } = this.#options;
    if (isConflict) recordConflict(owner, events);
    if (completed === undefined) metrics.onNotNeeded(protocol);
    else if (!isCounted) this.#measure(keyOf(owner), completed);
    this.dismiss(keyOf(owner));
    if (standing !== undefined)
      this.#standing.set(keyOf(owner), { uid: owner.metadata.uid, answer: standing });
    if (completed === undefined) return;
    const picker = JSON.stringify(downscalePodPickerOf(owner));
    const { suspendedUntil } = this.#health.of(pickerWorkloadOf(owner).uid, picker) ?? {};
    recordOutcome(owner, { outcome: completed.outcome, suspendedUntil }, events);
  }

  /** Cancels the call of this ReplicaSet and discards its outcome. */
  dismiss(key: string): void {
    this.#standing.delete(key);
    this.#calls.cancel(key);
  }

  /** Resolves at once: the client has no cache to fill. */
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

function invalidHealth(problem: string): PickerHealth {
  return { kind: "failing", reason: invalidPicker, message: `The pod picker: ${problem}.` };
}

export interface CreatePickerClientOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly connector: PickerConnector;
  /** All ReplicaSets, to count the workloads with a picker. */
  readonly owners?: () => Iterable<ReplicaSet>;
  /** When it aborts, events that are not written yet are dropped. */
  readonly signal?: AbortSignal | undefined;
}

/** Wires a picker client together with its metrics, events and limits. */
export function createPickerClient(options: CreatePickerClientOptions): PickerClient {
  const { connector, owners } = options;
  const random = options.random.fork("pod-picker");
  const metrics = pickerMetrics(options.metrics);
  if (owners !== undefined) metrics.observeWorkloads(owners);
  // It is part of the ReplicaSet controller, so its events name that controller.
  const component = "replicaset-controller";
  const events = new ClientEventRecorder({ ...options, random: random.fork("events"), component });
  const limiter = new CallLimiter(connector.limits);
  const { onAttempt } = metrics;
  const clock = networkClock(options.clock); // a picker needs its seconds, however fast the cluster's time passes
  return new PickerClient({ ...options, ...connector, clock, random, events, metrics, limiter, onAttempt });
}
