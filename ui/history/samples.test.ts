import { expect, test } from "vitest";
import { countPods } from "../model/pod-state.ts";
import { pod } from "../../src/testing/pod.ts";
import { TimelineSamples, decisionIn } from "./samples.ts";
import type { StoredObject } from "../../src/api/object.ts";
import type { WatchedKind } from "../live/kinds.ts";

test("a sample has the Pods of its moment and the decisions since the one before", () => {
  const samples = new TimelineSamples();
  samples.count("removal");
  samples.count("removal");
  const pods = [pod("a"), pod("b", { ready: false }), pod("c", { deletedAt: "2026-01-01T00:00:00Z" })];
  samples.add(5000, countPods(pods));
  samples.add(6000, countPods([]));
  expect(samples.columns).toEqual([
    [5, 6],
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 0],
    [2, 0],
    [0, 0],
  ]);
});

test("many samples are thinned out, and no decision is lost", () => {
  const samples = new TimelineSamples(10);
  for (let second = 1; second <= 25; second++) {
    samples.count("placement");
    samples.add(second * 1000, countPods([pod("a")]));
  }
  const [times = [], ready = []] = samples.columns;
  expect(times.length).toBeLessThanOrEqual(10);
  expect([times.at(-1), new Set(ready)]).toEqual([25, new Set([1])]);
  expect(samples.columns[4]?.reduce((sum, count) => sum + count, 0)).toBe(25);
});

const deleted = { deletedAt: "2026-01-01T00:00:00Z" };
const sized = (replicas: number) => ({ ...pod("rs"), spec: { replicas } }) as StoredObject;

test.for<{
  name: string;
  kind?: WatchedKind;
  before?: StoredObject;
  after?: StoredObject;
  want: string | undefined;
}>([
  { name: "a Pod gets a node", before: pod("a", { node: null }), after: pod("a"), want: "placement" },
  { name: "a Pod becomes ready", before: pod("a", { ready: false }), after: pod("a"), want: undefined },
  { name: "a Pod is being deleted", before: pod("a"), after: pod("a", deleted), want: "removal" },
  { name: "a Pod goes on ending", before: pod("a", deleted), after: pod("a", deleted), want: undefined },
  { name: "a Pod is gone", before: pod("a", deleted), want: undefined },
  { name: "a revision grows", kind: "replicaSets", before: sized(1), after: sized(2), want: "resize" },
  { name: "a revision reports", kind: "replicaSets", before: sized(2), after: sized(2), want: undefined },
])("$name", ({ kind = "pods", before, after, want }) => {
  expect(decisionIn({ kind, key: "default/a", before, after })).toBe(want);
});

test("jumps go from one second with decisions to the next", () => {
  const samples = new TimelineSamples();
  const none = { ready: 0, starting: 0, unscheduled: 0, terminating: 0, failed: 0, succeeded: 0, unknown: 0 };
  for (let second = 1; second <= 5; second++) {
    if (second === 2 || second === 4) samples.count("removal");
    samples.add(second * 1000, none);
  }
  expect(samples.decisionBeside(5000, -1)).toBe(4000);
  expect(samples.decisionBeside(4000, -1)).toBe(2000);
  expect(samples.decisionBeside(2000, -1)).toBeUndefined();
  expect(samples.decisionBeside(2000, 1)).toBe(4000);
  expect(samples.decisionBeside(4000, 1)).toBeUndefined();
});
