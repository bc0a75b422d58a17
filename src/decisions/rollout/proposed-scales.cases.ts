import { before, type PartialScale } from "./partial-scale.cases.ts";

/** The tables of the proposal. */
export const proposedScales: readonly PartialScale[] = [
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
