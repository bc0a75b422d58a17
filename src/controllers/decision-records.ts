import type { RemovalRecord } from "../decisions/explain/removal-record.ts";

export interface DecisionRecordsOptions {
  /** How many decisions are kept of one workload. */
  readonly perWorkload?: number;
  /** How many candidates are kept of all decisions together: they are what a record is made of. */
  readonly candidates?: number;
}

/** The latest removal decisions of every workload, complete; the oldest are forgotten first. */
export class DecisionRecords {
  readonly #perWorkload: number;
  readonly #most: number;
  /** Oldest first. */
  readonly #records = new Set<RemovalRecord>();
  readonly #byWorkload = new Map<string, readonly RemovalRecord[]>();
  #candidates = 0;

  constructor({ perWorkload = 20, candidates = 50_000 }: DecisionRecordsOptions = {}) {
    this.#perWorkload = perWorkload;
    this.#most = candidates;
  }

  /** Keeps a record; the newest one is kept however large it is. */
  add(record: RemovalRecord): void {
    const known = this.#of(record);
    this.#records.add(record);
    this.#byWorkload.set(workloadKey(record.workload), [...known, record]);
    this.#candidates += record.candidates.length;
    if (known.length >= this.#perWorkload) this.#forget(known[0]);
    for (const oldest of this.#records) {
      if (this.#candidates <= this.#most || oldest === record) break;
      this.#forget(oldest);
    }
  }

  /** What is kept of the workloads of this name, newest first. Empty names stand for any. */
  find({ namespace, name }: { readonly namespace: string; readonly name: string }): readonly RemovalRecord[] {
    return [...this.#records]
      .filter(({ workload }) => namespace === "" || workload.namespace === namespace)
      .filter(({ workload }) => name === "" || workload.name === name)
      .reverse();
  }

  #of({ workload }: RemovalRecord): readonly RemovalRecord[] {
    return this.#byWorkload.get(workloadKey(workload)) ?? [];
  }

  #forget(record: RemovalRecord | undefined): void {
    if (record === undefined || !this.#records.delete(record)) return;
    this.#candidates -= record.candidates.length;
    const left = this.#of(record).filter((other) => other !== record);
    if (left.length === 0) this.#byWorkload.delete(workloadKey(record.workload));
    else this.#byWorkload.set(workloadKey(record.workload), left);
  }
}

function workloadKey({ kind, namespace, name }: RemovalRecord["workload"]): string {
  return `${kind}/${namespace}/${name}`;
}
