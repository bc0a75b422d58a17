import { type Before, before, type PartialScale } from "./partial-scale.cases.ts";

const tables: readonly PartialScale[] = [
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
];

/** A pass over the paused Deployment before it is scaled: terminating Pods keep the largest from the whole surge. */
const whilePaused: PartialScale["passes"][number] = {
  replicas: 100,
  terminating: [15],
  want: [
    [50, 100, 110, 50],
    [30, 100, 110],
    [20, 100, 110],
  ],
};

function afterPause(table: PartialScale, kind: string, record: Partial<Before>): PartialScale {
  return {
    ...table,
    name: `a pause with ReplicaSets ${kind}, then ${table.name}`,
    start: table.start.map(({ size }) => ({ size, ...record })),
    passes: [whilePaused, ...table.passes],
  };
}

/** The tables of the proposal, also for a Deployment that was paused when it got its ReplicaSets. */
export const proposedScales: readonly PartialScale[] = [
  ...tables,
  ...tables.map((table) => afterPause(table, "of its own", before)),
  ...tables.map((table) => afterPause(table, "that it adopted", {})),
];
