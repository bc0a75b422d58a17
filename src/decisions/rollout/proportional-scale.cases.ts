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

/** Without a policy: sizes from the youngest ReplicaSet on, the first of which is the new one. */
export const plainScales: readonly {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly surge?: number;
  readonly surgeBefore?: number;
  readonly sizes: readonly number[];
  readonly want: readonly number[];
}[] = [
  { name: "doubles two", from: 5, to: 10, sizes: [2, 3], want: [4, 6] },
  { name: "shrinks two", from: 5, to: 3, sizes: [2, 3], want: [1, 2] },
  { name: "takes the last Pod of a small one", from: 9, to: 4, sizes: [8, 1], want: [4, 0] },
  { name: "grows three", from: 7, to: 10, sizes: [2, 3, 2], want: [3, 4, 3] },
  { name: "shrinks three", from: 13, to: 8, sizes: [2, 8, 3], want: [1, 5, 2] },
  { name: "gives one to the youngest of equals", from: 3, to: 4, sizes: [1, 1, 1], want: [2, 1, 1] },
  { name: "takes one from the oldest of equals", from: 3, to: 2, sizes: [1, 1, 1], want: [1, 1, 0] },
  { name: "grows the younger of two equals", from: 4, to: 5, sizes: [2, 2], want: [3, 2] },
  { name: "takes everything", from: 6, to: 0, sizes: [3, 2, 1], want: [0, 0, 0] },
  { name: "fills the surge, too", from: 10, to: 20, surge: 2, surgeBefore: 2, sizes: [6, 6], want: [11, 11] },
  {
    name: "follows surge and size together",
    from: 10,
    to: 50,
    surge: 6,
    surgeBefore: 3,
    sizes: [5, 8],
    want: [22, 34],
  },
  { name: "scales before it rolls out", from: 10, to: 14, sizes: [7, 3], want: [10, 4] },
  { name: "triples with surge", from: 10, to: 30, surge: 3, surgeBefore: 3, sizes: [5, 8], want: [13, 20] },
  {
    name: "is the proposal's first table, first scale",
    from: 100,
    to: 120,
    surge: 10,
    surgeBefore: 10,
    sizes: [60, 30, 20],
    want: [71, 35, 24],
  },
  {
    name: "is the proposal's first table, second scale",
    from: 120,
    to: 130,
    surge: 10,
    surgeBefore: 10,
    sizes: [71, 35, 24],
    want: [76, 38, 26],
  },
];

const before = { desired: 100, max: 110 };

/** Under `TerminationComplete`: passes over what the one before left, from the youngest ReplicaSet on. */
export const partialScales: readonly {
  readonly name: string;
  readonly surge: number;
  readonly start: readonly Before[];
  /** Terminating Pods as of each pass, in the order of the ReplicaSets. */
  readonly passes: readonly {
    readonly replicas: number;
    readonly terminating: readonly number[];
    readonly want: readonly After[];
  }[];
}[] = [
  {
    name: "the proposal's second table: one scale in three passes",
    surge: 10,
    start: [
      { size: 50, ...before },
      { size: 30, ...before },
      { size: 20, ...before },
    ],
    passes: [
      {
        replicas: 120,
        terminating: [15],
        want: [
          [59, 100, 110, 50],
          [35, 120, 130],
          [21, 100, 110, 20],
        ],
      },
      {
        replicas: 120,
        terminating: [5],
        want: [
          [66, 100, 110, 50],
          [35, 120, 130],
          [24, 120, 130],
        ],
      },
      {
        replicas: 120,
        terminating: [],
        want: [
          [71, 120, 130],
          [35, 120, 130],
          [24, 120, 130],
        ],
      },
    ],
  },
  {
    name: "the proposal's third table: a second scale while the first is held back",
    surge: 10,
    start: [
      { size: 50, ...before },
      { size: 30, ...before },
      { size: 20, ...before },
    ],
    passes: [
      {
        replicas: 120,
        terminating: [15],
        want: [
          [59, 100, 110, 50],
          [35, 120, 130],
          [21, 100, 110, 20],
        ],
      },
      {
        replicas: 130,
        terminating: [15],
        want: [
          [66, 100, 110, 50],
          [38, 130, 140],
          [21, 100, 110, 20],
        ],
      },
      {
        replicas: 130,
        terminating: [5],
        want: [
          [72, 100, 110, 50],
          [38, 130, 140],
          [25, 130, 140],
        ],
      },
      {
        replicas: 130,
        terminating: [],
        want: [
          [77, 130, 140],
          [38, 130, 140],
          [25, 130, 140],
        ],
      },
    ],
  },
  {
    name: "terminating Pods of every ReplicaSet",
    surge: 10,
    start: [
      { size: 50, pods: 0, ...before },
      { size: 30, pods: 0, ...before },
      { size: 20, pods: 0, ...before },
    ],
    passes: [
      {
        replicas: 120,
        terminating: [6, 4, 5],
        want: [
          [59, 100, 110, 50],
          [35, 120, 130],
          [21, 100, 110, 20],
        ],
      },
    ],
  },
  {
    name: "a doubling without surge",
    surge: 0,
    start: [
      { size: 2, desired: 5, max: 5 },
      { size: 3, desired: 5, max: 5 },
    ],
    passes: [
      {
        replicas: 10,
        terminating: [1, 1],
        want: [
          [2, 5, 5, 2],
          [6, 10, 10],
        ],
      },
    ],
  },
  {
    name: "a Pod that has yet to be deleted",
    surge: 0,
    start: [
      { size: 2, pods: 0, desired: 7, max: 7 },
      { size: 3, pods: 0, desired: 7, max: 7 },
      { size: 2, pods: 3, desired: 7, max: 7 },
    ],
    passes: [
      {
        replicas: 12,
        terminating: [1],
        want: [
          [3, 12, 12],
          [5, 7, 7, 3],
          [2, 7, 7, 2],
        ],
      },
      {
        replicas: 12,
        terminating: [],
        want: [
          [3, 12, 12],
          [6, 12, 12],
          [3, 12, 12],
        ],
      },
    ],
  },
  {
    name: "a large old and a small new ReplicaSet",
    surge: 20,
    start: [
      { size: 5, desired: 100, max: 120 },
      { size: 100, desired: 100, max: 120 },
    ],
    passes: [
      {
        replicas: 120,
        terminating: [4, 15],
        want: [
          [5, 100, 120, 5],
          [116, 100, 120, 100],
        ],
      },
    ],
  },
  {
    name: "a tripling that ends once two Pods have",
    surge: 3,
    start: [
      { size: 3, desired: 10, max: 13 },
      { size: 8, desired: 10, max: 13 },
    ],
    passes: [
      {
        replicas: 30,
        terminating: [0, 2],
        want: [
          [8, 30, 33],
          [23, 10, 13, 8],
        ],
      },
      {
        replicas: 30,
        terminating: [],
        want: [
          [8, 30, 33],
          [25, 30, 33],
        ],
      },
    ],
  },
  {
    name: "no shrinking of one that holds leftovers",
    surge: 10,
    start: [
      { size: 66, ...before, before: 50 },
      { size: 35, desired: 120, max: 130 },
      { size: 24, desired: 120, max: 130 },
    ],
    passes: [
      {
        replicas: 124,
        terminating: [8],
        want: [
          [66, 100, 110, 50],
          [36, 124, 134],
          [24, 120, 130, 24],
        ],
      },
    ],
  },
  {
    name: "nothing to add: everyone remembers where it was",
    surge: 0,
    start: [
      { size: 3, desired: 6, max: 6 },
      { size: 3, desired: 6, max: 6 },
    ],
    passes: [
      {
        replicas: 8,
        terminating: [9],
        want: [
          [3, 6, 6, 3],
          [3, 6, 6, 3],
        ],
      },
      {
        replicas: 8,
        terminating: [],
        want: [
          [4, 8, 8],
          [4, 8, 8],
        ],
      },
    ],
  },
  {
    name: "a scale-down while held back, which is over at once",
    surge: 10,
    start: [
      { size: 47, desired: 120, max: 130, before: 50 },
      { size: 70, desired: 120, max: 130, before: 60 },
    ],
    passes: [
      {
        replicas: 100,
        terminating: [20],
        want: [
          [47, 100, 110],
          [63, 100, 110],
        ],
      },
    ],
  },
  {
    name: "a record that cannot be read: it is written anew",
    surge: 0,
    start: [
      { size: 3, desired: "x", max: "y", before: "z" },
      { size: 3, desired: 6, max: 6, before: -1 },
    ],
    passes: [
      {
        replicas: 8,
        terminating: [2],
        want: [
          [3, 8, 8, 3],
          [3, 6, 6, 3],
        ],
      },
    ],
  },
];
