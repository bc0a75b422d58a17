import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { keyOf } from "../../api/object.ts";
import type { CompletedCall, PickerOutcome } from "../../decisions/downscale/picker-outcome.ts";
import { requestSize, type UnaskedPicker } from "../../decisions/downscale/picker-progress.ts";
import { elapsedMs } from "../../machinery/clock/clock.ts";
import type { KeyQueue } from "../../machinery/controller.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { type CallDependencies, callPicker } from "./call-picker.ts";
import { permanentFailure } from "../picker-failure.ts";
import type { PickerSettings } from "../picker-settings.ts";
import { pickerWorkloadOf } from "../picker-workload.ts";
import type { AskedPicker } from "../../decisions/downscale/picker-state.ts";

export interface CallTrackerOptions {
  readonly dependencies: CallDependencies;
  readonly log: Logger;
  /** Called for every call that ends without having been cancelled. */
  readonly onCompleted: (call: PickerCall, completed: CompletedCall) => void;
}

/**
 * Holds the calls in flight and the outcomes not used yet, at most one per ReplicaSet. A call runs in the background and
 * enqueues its ReplicaSet when it has ended; the outcome of a cancelled call is discarded.
 */
export class CallTracker {
  readonly #options: CallTrackerOptions;
  readonly #calls = new Map<string, PickerCall>();
  readonly #queues = new Set<KeyQueue>();

  constructor(options: CallTrackerOptions) {
    this.#options = options;
  }

  /** The call of this ReplicaSet; not that of a deleted one with the same name. */
  of({ metadata }: ReplicaSet): PickerCall | undefined {
    const call = this.#calls.get(keyOf({ metadata }));
    return call?.uid === metadata.uid ? call : undefined;
  }

  /** Whether there is a call or an unused outcome under this key. */
  has(key: string): boolean {
    return this.#calls.has(key);
  }

  /** Starts a call; an earlier one under the same key is cancelled. */
  begin(owner: ReplicaSet, unasked: UnaskedPicker, settings: PickerSettings): void {
    const key = keyOf(owner);
    this.cancel(key);
    const call = newPickerCall(owner, unasked);
    this.#calls.set(key, call);
    const { dependencies, log } = this.#options;
    const { requested, candidates } = call.question;
    const request = {
      settings,
      question: { requested, candidates: [...candidates.values()] },
      workload: pickerWorkloadOf(owner),
      leftMs: call.deadlineAt - dependencies.clock.now(),
    };
    const startedMs = elapsedMs(dependencies.clock);
    callPicker(request, dependencies, call.abort.signal)
      .catch((error: unknown): PickerOutcome => {
        // The boundary of a call in the background: `callPicker` rejects only because of a bug.
        log.error("calling a pod picker failed", { key, error });
        return { kind: "failed", failure: permanentFailure("ConnectionFailed"), attempts: 0 };
      })
      .then((outcome) =>
        this.#complete(key, call, {
          ...requestSize(call.question),
          protocol: settings.protocol,
          outcome,
          tookMs: elapsedMs(dependencies.clock) - startedMs,
        }),
      )
      .catch((error: unknown) => log.error("the outcome of a pod picker call was lost", { key, error }));
  }

  /** Aborts the call of a ReplicaSet, if there is one, and discards its outcome. */
  cancel(key: string): void {
    this.#calls.get(key)?.abort.abort(new Error("the pod picker is no longer needed"));
    this.#calls.delete(key);
  }

  /** Enqueues keys of ReplicaSets whose calls end; the function it returns stops that. */
  start(queue: KeyQueue): () => void {
    this.#queues.add(queue);
    return () => {
      this.#queues.delete(queue);
      if (this.#queues.size === 0) for (const key of this.#calls.keys()) this.cancel(key);
    };
  }

  inFlight(): number {
    return [...this.#calls.values()].filter(({ state }) => state.kind === "in flight").length;
  }

  #complete(key: string, call: PickerCall, completed: CompletedCall): void {
    if (this.#calls.get(key) !== call) return;
    const { outcome, tookMs } = completed;
    this.#options.onCompleted(call, completed);
    const expiresAt = this.#options.dependencies.clock.now() + answerTtlMs;
    const state = { kind: "completed", outcome, tookMs: Math.round(tookMs), expiresAt } as const;
    this.#calls.set(key, { ...call, state });
    for (const queue of this.#queues) queue.add(key);
  }
}

/** The call for one scale-down, until its outcome is used. */
export interface PickerCall extends AskedPicker {
  /** Of the ReplicaSet. */
  readonly key: string;
  readonly uid: string;
  /** The UID of its workload. */
  readonly workload: string;
  readonly abort: AbortController;
}

/** How long an outcome may wait for the next reconcile. */
const answerTtlMs = 30_000;

function newPickerCall(
  owner: ReplicaSet,
  { question, deadlineAt }: Pick<UnaskedPicker, "question" | "deadlineAt">,
): PickerCall {
  return {
    key: keyOf(owner),
    uid: owner.metadata.uid,
    workload: pickerWorkloadOf(owner).uid,
    question,
    deadlineAt,
    state: { kind: "in flight" },
    abort: new AbortController(),
  };
}
