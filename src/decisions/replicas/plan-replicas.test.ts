import { assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { burst, planReplicas, slowStart, availabilityRecheckAt } from "./plan-replicas.ts";
import { parseTime } from "../../api/time.ts";

const pods = (count: number) => Array.from({ length: count }, (_, index) => pod(`web-${index}`));

test.for([
  { name: "rests when there are as many as wanted", wanted: 2, have: 2, want: { kind: "rest" } },
  { name: "creates what is missing", wanted: 3, have: 1, want: { kind: "create", count: 2 } },
  { name: "deletes what is too many", wanted: 1, have: 3, want: { kind: "delete", count: 2 } },
  { name: "deletes all for a size of zero", wanted: 0, have: 2, want: { kind: "delete", count: 2 } },
  {
    name: "creates no more than the burst in one go",
    wanted: burst + 1,
    have: 0,
    want: { kind: "create", count: burst },
  },
  {
    name: "deletes no more than the burst in one go",
    wanted: 0,
    have: burst + 1,
    want: { kind: "delete", count: burst },
  },
])("planReplicas $name", ({ wanted, have, want }) => {
  const owner = replicaSet("web", { size: wanted });
  expect(planReplicas({ owner, active: pods(have), isExpecting: false })).toEqual(want);
});

test("planReplicas holds while what was done before has not been seen", () => {
  const owner = replicaSet("web", { size: 3 });
  const step = planReplicas({ owner, active: [], isExpecting: true });
  expect(step).toEqual({ kind: "hold", because: "expecting" });
});

test("planReplicas holds for an owner that is being deleted", () => {
  const owner = replicaSet("web", { size: 3, deletedAt: "2026-01-01T00:00:00Z" });
  const step = planReplicas({ owner, active: [], isExpecting: false });
  expect(step).toEqual({ kind: "hold", because: "deleting" });
});

test("planReplicas wants one Pod where nothing is said", () => {
  const { spec, ...owner } = replicaSet("web");
  const { replicas: _unsaid, ...rest } = spec;
  const step = planReplicas({ owner: { ...owner, spec: rest }, active: [], isExpecting: false });
  expect(step).toEqual({ kind: "create", count: 1 });
});

test.for([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3"])(
  "planReplicas does nothing when the size is %j",
  (replicas) => {
    const owner = replicaSet("web");
    const spec = { ...owner.spec, replicas: replicas as number };
    const step = planReplicas({ owner: { ...owner, spec }, active: pods(2), isExpecting: false });
    expect(step).toEqual({ kind: "hold", because: "unreadable" });
  },
);

test("step by step, planReplicas arrives at any size from any other and never passes it", () => {
  const size = integer({ min: 0, max: 3 * burst });
  assert(
    property(size, size, (wanted, have) => {
      const owner = replicaSet("web", { size: wanted });
      let active = pods(have);
      for (let round = 0; active.length !== wanted; round++) {
        const step = planReplicas({ owner, active, isExpecting: false });
        if (round > 3 || (step.kind !== "create" && step.kind !== "delete")) throw new Error(step.kind);
        const next = step.kind === "create" ? active.length + step.count : active.length - step.count;
        expect(next >= Math.min(wanted, have) && next <= Math.max(wanted, have)).toBe(true);
        active = pods(next);
      }
    }),
    { numRuns: 50 },
  );
});

test.for([
  { name: "nothing in no batch", count: 0, want: [] },
  { name: "one alone", count: 1, want: [1] },
  { name: "ten in batches that double, the last with what is left", count: 10, want: [1, 2, 4, 3] },
  { name: "five hundred in nine batches", count: 500, want: [1, 2, 4, 8, 16, 32, 64, 128, 245] },
])("slowStart creates $name", ({ count, want }) => {
  expect(slowStart(count)).toEqual(want);
});

const at = (time: string) => parseTime(`2026-01-01T00:${time}Z`) ?? 0;
const now = at("10:00");
const ready = (time: string): PodTraits => ({ readyAt: `2026-01-01T00:${time}Z` });

interface Case {
  readonly name: string;
  readonly minReadySeconds?: number;
  readonly available?: number;
  readonly pods: readonly PodTraits[];
  readonly want: number | undefined;
}

const cases: readonly Case[] = [
  {
    name: "never where Pods are available as soon as they are ready",
    minReadySeconds: 0,
    pods: [ready("09:59")],
    want: undefined,
  },
  { name: "never when all ready Pods are available", available: 1, pods: [ready("09:00")], want: undefined },
  { name: "when the only ready Pod will be available", pods: [ready("09:58")], want: at("10:03") },
  {
    name: "when the first of several will be available",
    pods: [ready("09:58"), ready("09:57"), { ready: false }, ready("09:59")],
    want: at("10:02"),
  },
  {
    name: "later than now, even if one has just become available",
    pods: [ready("09:55"), ready("09:59")],
    want: at("10:04"),
  },
  {
    name: "after the whole time when no Pod says since when it is ready",
    pods: [{ readyAt: null }],
    want: at("10:05"),
  },
  { name: "to the millisecond", pods: [ready("09:55.700")], want: at("10:00.700") },
];

test.for(cases)("recheckAt is $name", ({ minReadySeconds = 5, available = 0, pods, want }) => {
  const active = pods.map((traits, index) => pod(`web-${index}`, traits));
  const owner = replicaSet("web", { minReadySeconds, pods: active.length, ready: 1, available });
  expect(availabilityRecheckAt({ owner, active, now })).toBe(want);
});
