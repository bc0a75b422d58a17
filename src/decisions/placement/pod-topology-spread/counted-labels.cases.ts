import type { CountCase } from "./counted-constraint.cases.ts";
import { hard, hasBar } from "./spread-cluster.cases.ts";

/** Which Pods are counted, by selectors and label keys. */
export const labelCases: readonly CountCase[] = [
  {
    name: "counts nothing without a selector",
    foo: "2/1/0/3",
    constraints: [hard("zone", { labelSelector: null })],
    want: [{ counts: { zone1: 0, zone2: 0 }, minimum: 0 }],
  },
  {
    name: "counts other Pods for another selector",
    foo: "1/0/0/0",
    bar: "0/1/0/0",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    want: [
      { counts: { zone1: 1, zone2: 0 }, minimum: 0 },
      { counts: { a: 0, b: 1, x: 0, y: 0 }, minimum: 0 },
    ],
  },
  {
    name: "counts a Pod for every selector that finds it",
    foo: "1/0/0/1",
    bar: "0/0/1/0",
    both: "1/1/0/1",
    constraints: [hard("zone"), hard("node", { labelSelector: hasBar })],
    want: [
      { counts: { zone1: 3, zone2: 2 }, minimum: 2 },
      { counts: { a: 1, b: 1, x: 1, y: 1 }, minimum: 1 },
    ],
  },
  {
    name: "adds the Pod's own label values to its selector",
    foo: "2/1/0/0",
    both: "1/0/0/1",
    labels: { foo: "", bar: "" },
    constraints: [hard("zone", { matchLabelKeys: ["bar"] })],
    want: [{ counts: { zone1: 1, zone2: 1 }, minimum: 1 }],
  },
  {
    name: "counts by label values alone when the selector is empty",
    foo: "2/1/0/0",
    bar: "0/0/3/0",
    labels: { bar: "" },
    constraints: [hard("zone", { labelSelector: {}, matchLabelKeys: ["bar"] })],
    want: [{ counts: { zone1: 0, zone2: 3 }, minimum: 0 }],
  },
  {
    name: "counts nothing by label values when there is no selector",
    foo: "2/1/0/0",
    constraints: [hard("zone", { labelSelector: null, matchLabelKeys: ["foo"] })],
    want: [{ counts: { zone1: 0, zone2: 0 }, minimum: 0 }],
  },
  {
    name: "ignores label keys the Pod does not have",
    foo: "2/1/0/0",
    constraints: [hard("zone", { matchLabelKeys: ["bar"] })],
    want: [{ counts: { zone1: 3, zone2: 0 }, minimum: 0 }],
  },
  {
    name: "counts no Pod for an empty selector, which would match all",
    foo: "2/1/0/3",
    constraints: [hard("zone", { labelSelector: {} })],
    want: [{ counts: { zone1: 0, zone2: 0 }, minimum: 0 }],
  },
];
