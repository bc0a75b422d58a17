import { before, type PartialScale } from "./partial-scale.cases.ts";

/** Scales that terminating Pods hold back, and what ends that. */
export const heldBackScales: readonly PartialScale[] = [
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
