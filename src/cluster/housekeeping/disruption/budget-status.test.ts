import { expect, test } from "vitest";
import type { Pod } from "../../../api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../../api/generated/policy-v1.ts";
import { formatTime } from "../../../api/time.ts";
import { planBudget } from "./budget-status.ts";
import type { PodController } from "./expected-pods.ts";

const now = 1_767_268_800_000;
const ago = (seconds: number) => formatTime(now - seconds * 1000);

function pod(name: string, { ready = true, deleted = false } = {}): Pod {
  const metadata = { name, namespace: "default", uid: name, resourceVersion: "1" };
  return {
    metadata: deleted ? { ...metadata, deletionTimestamp: ago(1) } : metadata,
    spec: { containers: [] },
    status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

function budget(
  spec: PodDisruptionBudget["spec"],
  status?: PodDisruptionBudget["status"],
): PodDisruptionBudget {
  const metadata = { name: "b", namespace: "default", uid: "b", resourceVersion: "1", generation: 3 };
  return { metadata, spec, ...(status !== undefined && { status }) };
}

const three = [pod("a"), pod("b"), pod("c")];
const scale = (replicas: number) => (): PodController => ({ found: "scale", uid: "web", replicas });

test.for<{
  name: string;
  spec: PodDisruptionBudget["spec"];
  pods?: readonly Pod[];
  controllerOf?: (pod: Pod) => PodController;
  want: readonly [expected: number, desired: number, healthy: number, allowed: number];
}>([
  { name: "counts the Pods for a number", spec: { minAvailable: 2 }, want: [3, 2, 3, 1] },
  { name: "allows nothing below the bound", spec: { minAvailable: 5 }, want: [3, 5, 3, 0] },
  { name: "allows nothing where there is no Pod", spec: { minAvailable: 0 }, pods: [], want: [0, 0, 0, 0] },
  { name: "takes a percentage of the scale, rounded up", spec: { minAvailable: "50%" }, want: [5, 3, 3, 0] },
  { name: "counts what may be unavailable from the scale", spec: { maxUnavailable: 3 }, want: [5, 2, 3, 1] },
  { name: "rounds up what may be unavailable", spec: { maxUnavailable: "50%" }, want: [5, 2, 3, 1] },
  { name: "never desires less than none", spec: { maxUnavailable: 9 }, want: [5, 0, 3, 3] },
  {
    name: "leaves out what is not ready or being deleted",
    spec: { minAvailable: 1 },
    pods: [pod("a"), pod("b", { ready: false }), pod("c", { deleted: true })],
    want: [3, 1, 1, 0],
  },
  {
    name: "leaves unmanaged Pods out of the scale",
    spec: { maxUnavailable: 1 },
    controllerOf: () => ({ found: "unmanaged" }),
    want: [0, 0, 3, 0],
  },
  { name: "has nothing to count without a bound", spec: {}, want: [0, 0, 3, 0] },
])("a budget $name", ({ spec, pods = three, controllerOf = scale(5), want }) => {
  const { status } = planBudget({ budget: budget(spec), pods, controllerOf, now });
  const { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed } = status;
  expect([expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed]).toEqual(want);
  expect(status.observedGeneration).toBe(3);
});

test("the condition says whether a Pod may go, and since when", () => {
  const plan = (state: PodDisruptionBudget, pods: readonly Pod[]) =>
    planBudget({ budget: state, pods, controllerOf: scale(3), now }).status.conditions;
  const allowed = { type: "DisruptionAllowed", status: "True", reason: "SufficientPods", message: "" };
  const first = plan(budget({ minAvailable: 2 }), three);
  expect(first).toEqual([{ ...allowed, observedGeneration: 3, lastTransitionTime: ago(0) }]);
  const earlier = [{ ...allowed, lastTransitionTime: ago(60) }];
  expect(plan(budget({ minAvailable: 2 }, { conditions: earlier }), three)).toMatchObject([
    { status: "True", lastTransitionTime: ago(60) },
  ]);
  expect(plan(budget({ minAvailable: 3 }, { conditions: earlier }), three)).toMatchObject([
    { status: "False", reason: "InsufficientPods", lastTransitionTime: ago(0) },
  ]);
});

test("an evicted Pod does not count for two minutes, then it does again and is reported", () => {
  const state = budget(
    { minAvailable: 1 },
    { disruptedPods: { a: ago(119), b: ago(120), gone: ago(1), c: ago(1) } },
  );
  const pods = [pod("a"), pod("b"), pod("c", { deleted: true })];
  const plan = planBudget({ budget: state, pods, controllerOf: scale(3), now });
  expect(plan.status).toMatchObject({ disruptedPods: { a: ago(119) }, currentHealthy: 1 });
  expect(Object.keys(plan.status.disruptedPods ?? {})).toEqual(["a"]);
  expect(plan.notDeleted.map(({ metadata }) => metadata.name)).toEqual(["b"]);
  expect(plan.recheckAt).toBe(now + 1000);
});

test("a budget that cannot be counted allows nothing and keeps its other counts", () => {
  const before = { observedGeneration: 2, disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 };
  const { status, expected } = planBudget({
    budget: budget({ maxUnavailable: 1 }, { ...before, expectedPods: 3 }),
    pods: three,
    controllerOf: () => ({
      found: "problem",
      problem: "jobs.batch does not implement the scale subresource",
    }),
    now,
  });
  expect(expected.ok).toBe(false);
  expect(status).toMatchObject({ ...before, disruptionsAllowed: 0, expectedPods: 3 });
  expect(status.conditions).toMatchObject([
    { status: "False", reason: "SyncFailed", message: "jobs.batch does not implement the scale subresource" },
  ]);
});
