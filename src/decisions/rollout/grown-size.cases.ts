/** Size, reported Pods, and reported terminating Pods; `null` when not reported. */
export type Counts = readonly [size: number, pods: number, terminating: number | null, synced?: "never"];

/** The size of the new ReplicaSet, the first, under `TerminationComplete`; `undefined` when a count is unknown. */
export const replacementSizes: readonly {
  readonly name: string;
  readonly strategy?: "Recreate";
  readonly replicas: number;
  readonly maxSurge: number;
  readonly counts: readonly Counts[];
  readonly want: number | undefined;
}[] = [
  {
    name: "keeps its size at the cap",
    replicas: 5,
    maxSurge: 2,
    counts: [
      [1, 1, 0],
      [3, 2, 0],
      [0, 3, 0],
    ],
    want: 1,
  },
  {
    name: "counts one that never synced by its size",
    replicas: 5,
    maxSurge: 2,
    counts: [
      [1, 0, null, "never"],
      [3, 2, 0],
      [0, 3, 0],
    ],
    want: 1,
  },
  {
    name: "cannot tell when a ReplicaSet keeps silent",
    replicas: 5,
    maxSurge: 2,
    counts: [
      [1, 1, 0],
      [1, 1, null],
      [0, 0, 0],
    ],
    want: undefined,
  },
  {
    name: "waits for terminating Pods of all",
    replicas: 5,
    maxSurge: 2,
    counts: [
      [1, 0, 1],
      [1, 0, 1],
      [0, 1, 2],
    ],
    want: 1,
  },
  {
    name: "waits for them while it never synced",
    replicas: 5,
    maxSurge: 2,
    counts: [
      [1, 0, null, "never"],
      [1, 0, 2],
      [0, 1, 2],
    ],
    want: 1,
  },
  {
    name: "waits for terminating Pods beyond the cap",
    replicas: 5,
    maxSurge: 2,
    counts: [
      [1, 0, 2],
      [0, 0, 2],
      [0, 0, 3],
    ],
    want: 1,
  },
  {
    name: "grows into what is free",
    replicas: 6,
    maxSurge: 3,
    counts: [
      [1, 1, 1],
      [0, 1, 1],
      [0, 0, 1],
    ],
    want: 5,
  },
  {
    name: "grows into what is free before it synced",
    replicas: 6,
    maxSurge: 3,
    counts: [
      [1, 0, null, "never"],
      [0, 1, 2],
      [0, 0, 1],
    ],
    want: 5,
  },
  {
    name: "grows no further than all replicas",
    replicas: 6,
    maxSurge: 3,
    counts: [
      [1, 1, 1],
      [0, 0, 1],
      [0, 0, 1],
    ],
    want: 6,
  },
  {
    name: "has the replicas for a cap under Recreate",
    strategy: "Recreate",
    replicas: 7,
    maxSurge: 0,
    counts: [
      [1, 1, 0],
      [3, 2, 0],
      [0, 3, 0],
    ],
    want: 1,
  },
  {
    name: "waits under Recreate",
    strategy: "Recreate",
    replicas: 7,
    maxSurge: 0,
    counts: [
      [1, 0, 1],
      [1, 0, 1],
      [0, 1, 2],
    ],
    want: 1,
  },
  {
    name: "waits beyond the cap under Recreate",
    strategy: "Recreate",
    replicas: 7,
    maxSurge: 0,
    counts: [
      [1, 0, 2],
      [0, 0, 2],
      [0, 0, 3],
    ],
    want: 1,
  },
  {
    name: "grows by what is free under Recreate",
    strategy: "Recreate",
    replicas: 3,
    maxSurge: 0,
    counts: [
      [1, 1, 0],
      [0, 0, 1],
    ],
    want: 2,
  },
  {
    name: "grows before it synced under Recreate",
    strategy: "Recreate",
    replicas: 3,
    maxSurge: 0,
    counts: [
      [1, 0, null, "never"],
      [0, 0, 1],
    ],
    want: 2,
  },
  {
    name: "reaches all replicas under Recreate",
    strategy: "Recreate",
    replicas: 3,
    maxSurge: 0,
    counts: [
      [1, 1, 0],
      [0, 0, 0],
    ],
    want: 3,
  },
  {
    name: "leaves a place for a terminating Pod",
    replicas: 10,
    maxSurge: 0,
    counts: [
      [1, 0, 1],
      [5, 0, 0],
    ],
    want: 4,
  },
  {
    name: "leaves a place for a Pod yet to be deleted",
    replicas: 10,
    maxSurge: 0,
    counts: [
      [1, 1, 0],
      [5, 6, 0],
    ],
    want: 4,
  },
  {
    name: "counts its own Pods yet to be deleted",
    replicas: 10,
    maxSurge: 2,
    counts: [
      [0, 1, 2],
      [5, 0, 1],
    ],
    want: 3,
  },
  {
    name: "stays at nothing behind many terminating Pods",
    replicas: 10,
    maxSurge: 2,
    counts: [
      [0, 0, 10],
      [5, 0, 1],
    ],
    want: 0,
  },
  {
    name: "starts a rollout with what 15 terminating Pods leave",
    replicas: 100,
    maxSurge: 20,
    counts: [
      [0, 0, null, "never"],
      [100, 100, 15],
    ],
    want: 5,
  },
  {
    name: "starts a small rollout with what 2 leave",
    replicas: 10,
    maxSurge: 3,
    counts: [
      [0, 0, null, "never"],
      [8, 8, 2],
    ],
    want: 3,
  },
  { name: "is scaled past two terminating Pods", replicas: 14, maxSurge: 0, counts: [[10, 0, 2]], want: 12 },
  {
    name: "is scaled past them under Recreate",
    strategy: "Recreate",
    replicas: 14,
    maxSurge: 0,
    counts: [[10, 0, 2]],
    want: 12,
  },
  {
    name: "is scaled past a Pod yet to be deleted",
    replicas: 14,
    maxSurge: 0,
    counts: [[10, 11, 0]],
    want: 13,
  },
  { name: "is scaled with surge past four", replicas: 14, maxSurge: 3, counts: [[10, 0, 4]], want: 13 },
  {
    name: "shrinks to the replicas whatever is terminating",
    replicas: 5,
    maxSurge: 0,
    counts: [[9, 9, null]],
    want: 5,
  },
  {
    name: "stays at the replicas whatever is unknown",
    replicas: 5,
    maxSurge: 0,
    counts: [[5, 5, null]],
    want: 5,
  },
];
