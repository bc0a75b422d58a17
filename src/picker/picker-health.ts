import { formatTime, type Instant } from "../api/time.ts";
import type { PickerOutcome } from "../decisions/downscale/picker-outcome.ts";
import type { PickerHealth } from "../decisions/downscale/picker-state.ts";
import { type Backoff, exponentialBackoffMs } from "../machinery/exponential-backoff.ts";

/** What is known about the picker of a workload from the calls of this process. */
export interface PickerRecord {
  /** The picker that was called: what is known does not hold for another one. */
  readonly picker: string;
  readonly lastOutcome: PickerOutcome;
  /** Calls in a row without an answer. */
  readonly failures: number;
  /** Until then it is not called; set by every failure from the third on. */
  readonly suspendedUntil?: Instant;
}

const tolerated = 2;
const suspension: Backoff = { initialMs: 30_000, maxMs: 300_000 };

/** The record after a call. */
export function afterCall(
  before: PickerRecord | undefined,
  call: Pick<PickerRecord, "picker" | "lastOutcome">,
  now: Instant,
): PickerRecord {
  if (call.lastOutcome.kind === "answered") return { ...call, failures: 0 };
  const failures = before?.picker === call.picker ? before.failures + 1 : 1;
  if (failures <= tolerated) return { ...call, failures };
  const forMs = exponentialBackoffMs(suspension, failures - tolerated - 1);
  return { ...call, failures, suspendedUntil: now + forMs };
}

/** Whether a picker answers, as the status of its workload reports it. */
export function healthOf({ lastOutcome, failures, suspendedUntil }: PickerRecord): PickerHealth {
  if (lastOutcome.kind === "answered") return { kind: "healthy" };
  const { class: reason, code } = lastOutcome.failure;
  const what = code === undefined ? reason : `${reason}, ${code}`;
  const message =
    suspendedUntil === undefined
      ? `The last call of the pod picker had no answer (${what}).`
      : `${failures} calls of the pod picker in a row had no answer (${what}); not called until ${formatTime(suspendedUntil)}.`;
  return { kind: "failing", reason, message };
}

/** Keeps records of at most this many workloads. */
const mostRecords = 10_000;

/**
 * Remembers how the pickers of workloads have done. One that keeps failing is suspended: a rollout scales down many times,
 * and would wait for it every time. When the suspension is over, one call is tried.
 */
export class PickerHealthLog {
  readonly #records = new Map<string, PickerRecord>();
  /** The ReplicaSets whose calls are trials after a suspension, by workload. */
  readonly #trials = new Map<string, string>();

  /** The record of a workload's picker, if it was called. */
  of(workload: string, picker: string): PickerRecord | undefined {
    const record = this.#records.get(workload);
    return record?.picker === picker ? record : undefined;
  }

  /** Whether a picker of the workload was called, this one or an earlier one. */
  has(workload: string): boolean {
    return this.#records.has(workload);
  }

  record(workload: string, call: Pick<PickerRecord, "picker" | "lastOutcome">, now: Instant): PickerRecord {
    const record = afterCall(this.#records.get(workload), call, now);
    this.#records.delete(workload); // to be inserted last
    this.#records.set(workload, record);
    this.#trials.delete(workload);
    const [oldest] = this.#records.keys();
    if (this.#records.size > mostRecords && oldest !== undefined) this.#records.delete(oldest);
    return record;
  }

  /** Marks the call of this ReplicaSet as the trial after a suspension. */
  beginTrial(workload: string, key: string): void {
    if (this.#records.get(workload)?.suspendedUntil !== undefined) this.#trials.set(workload, key);
  }

  /** Returns the ReplicaSet whose call is the trial. */
  trialOf(workload: string): string | undefined {
    return this.#trials.get(workload);
  }
}
