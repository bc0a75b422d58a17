import { describe, expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { describePreemption } from "../../explain/placement-reason.ts";
import { budget, preemptFor, type PreemptionCase, preemptingPod } from "./preemption-cluster.cases.ts";

const two = [node("a"), node("b")];
const ssd = node("b", { labels: { disk: "ssd" } });

/** A condition of a Pod that leaves for another. */
const leaving = {
  deletedAt: "2026-01-01T00:01:00Z",
};

describe("preemption", () => {
  test.for<PreemptionCase & { readonly name: string; readonly want: string }>([
    {
      name: "removes only as many Pods as have to go, the least important",
      running: [
        { on: "a", name: "low", cpu: 1, priority: 1 },
        { on: "a", name: "lower", cpu: 1, priority: 0 },
        { on: "a", name: "middle", cpu: 2, priority: 2 },
      ],
      want: "preempts pod default/lower (priority 0) on node a: the only node where preemption helps",
    },
    {
      name: "removes the younger of two Pods of one priority",
      running: [
        { on: "a", name: "young", cpu: 2, startedAt: "2026-01-02T00:00:00Z" },
        { on: "a", name: "old", cpu: 2 },
      ],
      incoming: { cpu: 2 },
      want: "preempts pod default/young (priority 0) on node a: the only node where preemption helps",
    },
    {
      name: "does not help against Pods that are as important",
      running: [{ on: "a", name: "equal", cpu: 4, priority: 100 }],
      want: "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
    },
    {
      name: "does not help where the Pod would not fit all the same",
      running: [
        { on: "a", name: "equal", cpu: 3, priority: 100 },
        { on: "a", name: "low", cpu: 1 },
      ],
      incoming: { cpu: 2 },
      want: "preemption: 0/1 nodes are available: 1 Insufficient cpu.",
    },
    {
      name: "is not tried where removing Pods cannot help",
      nodes: [node("a"), ssd, node("c", { unschedulable: true })],
      running: [
        { on: "a", name: "low", cpu: 4 },
        { on: "b", name: "equal", cpu: 4, priority: 100 },
      ],
      incoming: { spec: { nodeSelector: { disk: "ssd" } } },
      want: "preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
    },
    {
      name: "is not for a Pod whose policy is Never",
      running: [{ on: "a", name: "low", cpu: 4 }],
      incoming: { spec: { preemptionPolicy: "Never" } },
      want: "preemption: not eligible due to preemptionPolicy=Never.",
    },
  ])("$name", ({ want, ...given }) => {
    const result = preemptFor(given);
    expect(result && describePreemption(result)).toBe(want);
  });

  test("does nothing for a Pod that fits", () => {
    expect(preemptFor({ nodes: two, running: [{ on: "a", name: "low", cpu: 4 }] })).toBeUndefined();
  });
});

describe("of several nodes preemption takes", () => {
  test.for<PreemptionCase & { readonly name: string; readonly want: readonly string[] }>([
    {
      name: "the one where the fewest budgets are violated",
      running: [
        { on: "a", name: "protected", cpu: 4, priority: 0 },
        { on: "b", name: "free", cpu: 4, priority: 50, labels: { app: "other" } },
      ],
      budgets: [budget(0)],
      want: ["b", "fewest disruption budgets violated"],
    },
    {
      name: "the one whose most important victim is the least important",
      running: [
        { on: "a", name: "high", cpu: 4, priority: 9 },
        { on: "b", name: "low-1", cpu: 2, priority: 8 },
        { on: "b", name: "low-2", cpu: 2, priority: 8 },
      ],
      incoming: { cpu: 4 },
      want: ["b", "its most important victim is the least important"],
    },
    {
      name: "the one with the smallest sum of priorities",
      running: [
        { on: "a", name: "a-1", cpu: 2, priority: 9 },
        { on: "a", name: "a-2", cpu: 2, priority: 8 },
        { on: "b", name: "b-1", cpu: 2, priority: 9 },
        { on: "b", name: "b-2", cpu: 2, priority: 1 },
      ],
      incoming: { cpu: 4 },
      want: ["b", "smallest sum of the victims' priorities"],
    },
    {
      // Unlike with a plain sum, which more Pods of a negative priority would make smaller.
      name: "the one with fewer victims of negative priorities",
      running: [
        { on: "a", name: "a-1", cpu: 2, priority: -5 },
        { on: "a", name: "a-2", cpu: 2, priority: -5 },
        { on: "b", name: "b-1", cpu: 4, priority: -5 },
      ],
      incoming: { cpu: 4, priority: 0 },
      want: ["b", "smallest sum of the victims' priorities"],
    },
    {
      name: "the one whose most important victims started last",
      running: [
        { on: "a", name: "old", cpu: 4 },
        { on: "b", name: "young", cpu: 4, startedAt: "2026-01-02T00:00:00Z" },
      ],
      want: ["b", "its most important victims started last"],
    },
    {
      name: "the first of equals",
      running: [
        { on: "a", name: "one", cpu: 4 },
        { on: "b", name: "other", cpu: 4 },
      ],
      want: ["a", "as good as any other, and found first"],
    },
  ])("$name", ({ want, ...given }) => {
    const result = preemptFor({ nodes: two, ...given });
    expect(result?.kind === "preempts" && [result.node, result.because]).toEqual(want);
  });
});

describe("a disruption budget", () => {
  const victimsOf = (given: PreemptionCase) => {
    const result = preemptFor(given);
    return result?.kind === "preempts" ? result.victims.map(({ name }) => name) : result;
  };

  test("spares the Pods it protects while others can go, even more important ones", () => {
    const running = [
      { on: "a", name: "protected", cpu: 2, priority: 0 },
      { on: "a", name: "free", cpu: 2, priority: 50, labels: { app: "other" } },
    ];
    expect(victimsOf({ running, incoming: { cpu: 2 }, budgets: [budget(0)] })).toEqual(["free"]);
    expect(victimsOf({ running, incoming: { cpu: 2 }, budgets: [budget(1)] })).toEqual(["protected"]);
  });

  test("does not save Pods where nothing else helps", () => {
    expect(victimsOf({ running: [{ on: "a", name: "only", cpu: 4 }], budgets: [budget(0)] })).toEqual([
      "only",
    ]);
  });

  test.for([
    { name: "selects nothing", budgets: [{ ...budget(0), spec: {} }] },
    { name: "selects everything", budgets: [{ ...budget(0), spec: { selector: {} } }] },
    {
      name: "is of another namespace",
      budgets: [{ ...budget(0), metadata: { ...budget(0).metadata, namespace: "other" } }],
    },
    {
      name: "has counted the Pod already",
      budgets: [
        { ...budget(0), status: { disruptionsAllowed: 0, disruptedPods: { first: "2026-01-01T00:00:00Z" } } },
      ],
    },
  ])("that $name protects no Pod", ({ budgets }) => {
    const running = [
      { on: "a", name: "first", cpu: 2, priority: 0 },
      { on: "a", name: "second", cpu: 2, priority: 50, labels: { app: "other" } },
    ];
    expect(victimsOf({ running, incoming: { cpu: 2 }, budgets })).toEqual(["first"]);
  });
});

describe("a nomination", () => {
  const terminating = (reason: string) => ({
    on: "a",
    name: "leaving",
    cpu: 2,
    ...leaving,
    conditions: [{ type: "DisruptionTarget", status: "True", reason }],
  });

  test.for([
    { name: "waits for a victim that is leaving", reason: "PreemptionByScheduler", kind: "waits" },
    {
      name: "does not wait for a Pod that leaves by itself",
      reason: "EvictionByEvictionAPI",
      kind: "preempts",
    },
  ])("$name", ({ reason, kind }) => {
    const running = [terminating(reason), { on: "a", name: "low", cpu: 2 }];
    const result = preemptFor({ running, incoming: { cpu: 2 }, nominatedNode: "a" });
    expect(result?.kind).toBe(kind);
  });

  test("of an equally important Pod takes the room that preemption made", () => {
    const running = [{ on: "a", name: "low", cpu: 2 }];
    const other = preemptingPod({ cpu: 2, priority: 100, uid: "other" });
    // Both together do not fit beside the running Pod.
    const result = preemptFor({ running, incoming: { cpu: 2 }, nominated: { a: [other] } });
    expect(result?.kind === "preempts" && result.victims.map(({ name }) => name)).toEqual(["low"]);
    const big = preemptingPod({ cpu: 3, priority: 100, uid: "other" });
    expect(preemptFor({ running, incoming: { cpu: 2 }, nominated: { a: [big] } })).toEqual({
      kind: "gives-up",
      message: "preemption: 0/1 nodes are available: 1 Insufficient cpu.",
    });
  });

  test("of a less important Pod is no obstacle", () => {
    const other = preemptingPod({ cpu: 4, priority: 1, uid: "other" });
    expect(preemptFor({ running: [], nominated: { a: [other] } })).toBeUndefined();
  });
});

test("many victims are counted, and the first are named", () => {
  const running = Array.from({ length: 8 }, (_, index) => ({ on: "a", name: `p${index}`, cpu: 0.5 }));
  const result = preemptFor({ running, incoming: { cpu: 4 } });
  expect(result && describePreemption(result)).toMatch(
    /^preempts pods default\/p0 \(priority 0\), .*default\/p4 \(priority 0\) and 3 more on node a: /,
  );
});

test("a node with two thousand less important Pods is searched too", () => {
  const names = Array.from({ length: 2000 }, (_, index) => `p${index}`);
  const result = preemptFor({
    nodes: [node("a", { allocatable: { cpu: "2000", pods: "3000" } })],
    running: names.map((name) => ({ on: "a", name, cpu: 1 })),
    incoming: { cpu: 2 },
  });
  expect(result?.kind === "preempts" && result.victims).toHaveLength(2);
});
