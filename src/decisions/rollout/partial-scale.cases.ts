/** A ReplicaSet before and after a scale: what it remembers, and how many of its Pods are there and ending. */
export interface Before {
  readonly size: number;
  readonly desired?: number | string;
  readonly max?: number | string;
  readonly before?: number | string;
  readonly pods?: number;
  readonly terminating?: number;
}

/** Sizes, and what each ReplicaSet remembers afterwards: desired, max, and before, where a scale is held back. */
export type After = readonly [size: number, desired: number, max: number, before?: number];

/** Passes of `TerminationComplete` over what the one before left, from the youngest ReplicaSet on. */
export interface PartialScale {
  readonly name: string;
  readonly surge: number;
  readonly start: readonly Before[];
  /** Terminating Pods as of each pass, in the order of the ReplicaSets. */
  readonly passes: readonly {
    readonly replicas: number;
    readonly terminating: readonly number[];
    readonly want: readonly After[];
  }[];
}

/** What a ReplicaSet remembers of the scale before. */
export const before = { desired: 100, max: 110 };
