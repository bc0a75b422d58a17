import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { revisionsOf } from "./revisions.ts";
import { propagateSettings } from "./settings-propagation.ts";
import { scaleTo } from "./scale-replica-set.ts";

const picker = { http: { host: "picker", port: 80 } };
const stale = { http: { host: "stale", port: 80 } };

function told(state: Parameters<typeof revisionsOf>[0]): readonly string[] {
  return propagateSettings(revisionsOf(state)).flatMap((action) =>
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

const spreads = "trimtab.dev/scale-down-spread";
const replaces = "trimtab.dev/pod-replacement-policy";

/** The settings that each ReplicaSet has once they were propagated; those that are not written are left out. */
function settingsOf(state: Parameters<typeof revisionsOf>[0]) {
  return propagateSettings(revisionsOf(state)).map(
    (action) => action.kind === "update-replica-set" && action.replicaSet.metadata.annotations,
  );
}

test.for([
  {
    name: "a setting reaches an old ReplicaSet that still has Pods",
    size: 2,
    on: { [spreads]: "true" },
    has: { a: "1" },
    want: [{ a: "1", [spreads]: "true" }],
  },
  { name: "and none without Pods", size: 0, on: { [spreads]: "true" }, has: {}, want: [] },
  {
    name: "settings that were taken back leave it, and no other annotation",
    size: 2,
    on: {},
    has: { a: "1", [spreads]: "true", [replaces]: "TerminationComplete" },
    want: [{ a: "1" }],
  },
  { name: "also without Pods", size: 0, on: {}, has: { [spreads]: "true" }, want: [{}] },
  {
    name: "a setting that was changed is changed",
    size: 2,
    on: { [spreads]: "false" },
    has: { [spreads]: "true" },
    want: [{ [spreads]: "false" }],
  },
  {
    name: "nothing is written where nothing differs",
    size: 2,
    on: { [spreads]: "true" },
    has: { [spreads]: "true" },
    want: [],
  },
])("$name", ({ size, on, has, want }) => {
  const old = replicaSet("old", { image: "old", size, annotations: has });
  expect(settingsOf(rolloutState({ annotations: on }, [old]))).toEqual(want);
});

test("a setting that the Pod template still has stays: steer copies it from there", () => {
  const old = replicaSet("old", { image: "old", size: 2, annotations: { [spreads]: "true" } });
  const state = rolloutState({}, [old]);
  const { template } = state.deployment.spec;
  const metadata = { ...template.metadata, annotations: { [spreads]: "true" } };
  const spec = { ...state.deployment.spec, template: { ...template, metadata } };
  expect(settingsOf({ ...state, deployment: { ...state.deployment, spec } })).toEqual([]);
});

test("a write that shrinks a ReplicaSet carries the settings along", () => {
  const annotations = { [spreads]: "true" };
  const old = replicaSet("old", { image: "old", size: 3, annotations: { [replaces]: "TerminationStarted" } });
  const [write] = scaleTo(old, 1, revisionsOf(rolloutState({ annotations }, [old])));
  expect(write).toMatchObject({ replicaSet: { metadata: { annotations } } });
  expect(write).not.toHaveProperty(["replicaSet", "metadata", "annotations", replaces]);
});
