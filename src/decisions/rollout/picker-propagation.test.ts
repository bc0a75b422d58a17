import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { revisionsOf } from "./revisions.ts";
import { propagatePicker } from "./picker-propagation.ts";
import { scaleTo } from "./scale-replica-set.ts";

const picker = { http: { host: "picker", port: 80 } };
const stale = { http: { host: "stale", port: 80 } };

function told(state: Parameters<typeof revisionsOf>[0]): readonly string[] {
  return propagatePicker(revisionsOf(state)).flatMap((action) =>
    action.kind === "update-replica-set"
      ? [`${action.replicaSet.metadata.name}: ${action.replicaSet.spec.downscalePodPicker?.http?.host}`]
      : [],
  );
}

const old = [
  replicaSet("active", { image: "a", size: 2 }),
  replicaSet("idle", { image: "b", size: 0, picker: stale, createdAt: "2026-01-02T00:00:00Z" }),
  replicaSet("told", { image: "c", size: 2, picker, createdAt: "2026-01-03T00:00:00Z" }),
];

test("a picker reaches the old ReplicaSets that still have Pods", () => {
  expect(told(rolloutState({ picker }, old))).toEqual(["active: picker"]);
});

test("taking the picker away reaches all of them", () => {
  expect(told(rolloutState({}, old))).toEqual(["idle: undefined", "told: undefined"]);
});

test("with the gate off no picker is changed", () => {
  const gates = { ...defaultFeatureGates, DownscalePodPicker: false };
  expect(told(rolloutState({ picker }, old, { gates }))).toEqual([]);
});

test("a write that shrinks a ReplicaSet carries the picker along", () => {
  const [active = replicaSet("none")] = old;
  const [write] = scaleTo(active, 1, revisionsOf(rolloutState({ picker }, old)));
  expect(write).toMatchObject({ replicaSet: { spec: { replicas: 1, downscalePodPicker: picker } } });
});

test("a picker is outside the template", () => {
  const same = replicaSet("same", { size: 2 });
  expect(revisionsOf(rolloutState({ picker }, [same])).newReplicaSet).toBe(same);
});
