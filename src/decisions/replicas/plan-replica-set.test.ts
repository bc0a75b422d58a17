import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { compileLabelMap } from "../../api/labels/compile-label-selector.ts";
import { replicaSets } from "../../api/resources.ts";
import { parseTime } from "../../api/time.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import type { PickerOutcome } from "../downscale/picker-outcome.ts";
import { requestSize } from "../downscale/picker-progress.ts";
import type { CallState, KnownPicker } from "../downscale/picker-state.ts";
import { planReplicaSet, reportReplicaSet } from "./plan-replica-set.ts";
import type { ReplicaSetState } from "./replica-set-state.ts";

const now = parseTime("2026-01-01T02:00:00Z") ?? 0;

interface Case {
  readonly wanted: number;
  readonly pods: Readonly<Record<string, PodTraits>>;
  readonly isExpecting?: boolean;
  readonly isPickerAsked?: boolean;
  readonly owner?: ReplicaSetTraits;
}

/** What came of asking a picker: nothing yet, or a call about all Pods of the case. */
type Asked = "not-asked" | CallState;

function stateOf(
  { wanted, pods, isExpecting = false, isPickerAsked = false, owner }: Case,
  asked?: Asked,
): ReplicaSetState {
  const active = Object.entries(pods).map(([name, traits]) => pod(name, traits));
  return {
    owner: replicaSet("web", { size: wanted, ...owner }),
    resource: replicaSets,
    selection: compileLabelMap({ "pod-template-hash": "web" }),
    active,
    isExpecting,
    related: active,
    picker: {
      health: { kind: "unknown" },
      isAsked: isPickerAsked,
      ...(asked !== undefined && { picker: pickerOf(active, wanted, asked) }),
    },
    gates: defaultFeatureGates,
    now,
  };
}

function pickerOf(active: readonly Pod[], size: number, asked: Asked): KnownPicker {
  const known = { json: "{}", protocol: "http", timeoutMs: 1000, now } as const;
  if (asked === "not-asked") return known;
  const count = active.length - size;
  const candidates = new Map(active.map(({ metadata }) => [metadata.uid, metadata.name]));
  const question = { picker: "{}", size, count, requested: count, candidates };
  return { ...known, call: { question, deadlineAt: now + 500, state: asked } };
}

const inFlight: CallState = { kind: "in flight" };
const completed = (outcome: PickerOutcome): CallState => ({
  kind: "completed",
  outcome,
  tookMs: 1,
  expiresAt: now + 1,
});

const planned = (one: Case, asked?: Asked) => planReplicaSet(stateOf(one, asked));

const kindsOf = (one: Case, asked?: Asked) => planned(one, asked).actions.map(({ kind }) => kind);

function removalOf(state: ReplicaSetState) {
  const [removal] = planReplicaSet(state).actions.flatMap((action) =>
    action.kind === "delete-pods" ? [action.removal] : [],
  );
  return removal;
}

const goes = (one: Case, asked?: Asked) =>
  removalOf(stateOf(one, asked))?.choice.victims.map(({ pod: { metadata } }) => metadata.name);

const waiting: PodTraits = { node: null, phase: "Pending", ready: false };
const pending: PodTraits = { node: "node-3", phase: "Pending", ready: false };
const unready: PodTraits = { node: "node-3", ready: false };
const together: PodTraits = { node: "node-2" };

const three = { a: {}, b: {}, c: {} };
const pods = { alone: {}, "with-b": together, "with-a": together, unready, pending, waiting };

test.for([
  { name: "one without a node", wanted: 5, want: ["waiting"] },
  { name: "then one that is pending", wanted: 4, want: ["waiting", "pending"] },
  { name: "then one that is not ready", wanted: 3, want: ["waiting", "pending", "unready"] },
  {
    name: "then those that share a node",
    wanted: 1,
    want: ["waiting", "pending", "unready", "with-a", "with-b"],
  },
])("of all sorts of Pods goes first $name", ({ wanted, want }) => {
  expect(goes({ wanted, pods })).toEqual(want);
});

test.for([
  { name: "with a Deployment", owner: { owner: "web" }, want: ["with-a"] },
  { name: "without one", owner: {}, want: ["young"] },
])("as in kube-controller-manager, which Pod of a ReplicaSet goes $name", ({ owner, want }) => {
  const young = { readyAt: "2026-01-01T01:59:00Z" };
  const older = { ...together, readyAt: "2026-01-01T01:00:00Z" };
  const state = stateOf({ wanted: 2, pods: { young, "with-a": older, "with-b": together }, owner });
  const removal = removalOf({ ...state, removalProfile: "kubernetes-1.36" });
  expect(removal?.choice.victims.map(({ pod: { metadata } }) => metadata.name)).toEqual(want);
});

test("as in kube-controller-manager, no picker is asked or waited for", () => {
  const state = stateOf({ wanted: 2, pods: three }, inFlight);
  expect(planReplicaSet(state).because).toBe("waiting-for-picker");
  expect(removalOf({ ...state, removalProfile: "kubernetes-1.36" })?.choice.victims).toHaveLength(1);
});

test("when all go they go in the order they are listed, and the related Pods are not read", () => {
  const state = stateOf({ wanted: 0, pods: { c: {}, a: {}, b: {} } });
  const related: Iterable<Pod> = {
    [Symbol.iterator]() {
      throw new Error("read");
    },
  };
  expect(removalOf({ ...state, related })?.choice).toEqual({
    victims: state.active.map((one) => ({ pod: one })),
    survivors: [],
  });
});

test("the list that was given stays in its order", () => {
  const state = stateOf({ wanted: 1, pods: { c: {}, a: {}, b: {} } });
  planReplicaSet({ ...state, active: Object.freeze(state.active) });
  expect(state.active.map(({ metadata }) => metadata.name)).toEqual(["c", "a", "b"]);
});

test.for([
  { name: "has to be asked", asked: "not-asked", want: ["ask-picker"] },
  { name: "is being asked", asked: inFlight, want: [] },
] as const)(
  "while a picker $name no Pod is deleted, and the failure that was reported stays",
  ({ asked, want }) => {
    const failed = { type: "ReplicaFailure", status: "True" } as const;
    const { owner, ...state } = stateOf({ wanted: 2, pods: three }, asked);
    const failing = { ...owner, status: { replicas: 3, conditions: [failed] } };
    const { actions, because, status } = planReplicaSet({ ...state, owner: failing });
    expect(actions.map((action) => action.kind)).toEqual(want);
    expect(because).toBe("waiting-for-picker");
    expect(status.conditions).toEqual([failed]);
  },
);

test("what a picker chose goes, its answer is used up first, and what came of asking is kept for the record", () => {
  const picks = { chosen: new Set(["c"]), tied: new Set<string>() };
  const ignored = { unknown: 0, duplicate: 0, inBothLists: 0 };
  const outcome = { outcome: "Ranked", asked: { requested: 1, candidates: 3 }, used: true };
  const answered = completed({
    kind: "answered",
    answer: { kind: "Ranked", ...picks, ignored },
    attempts: 1,
  });
  expect(planned({ wanted: 2, pods: three }, answered).actions).toMatchObject([
    { kind: "settle-picker", settled: { kind: "settled", outcome, picks, count: 1 } },
    {
      kind: "delete-pods",
      removal: {
        picker: outcome,
        choice: { victims: [{ pod: { metadata: { name: "c" } }, because: { rule: "picker" } }] },
      },
    },
  ]);
});

test("a picker that was of no use leaves the normal order alone", () => {
  const state = { wanted: 1, pods: { alone: {}, "with-b": together, "with-a": together } };
  const failed = completed({ kind: "failed", failure: { class: "Timeout" }, attempts: 1 });
  expect(goes(state, failed)).toEqual(["with-a", "with-b"]);
});

test("a picker is asked about as many as go at a time, and once more for the rest", () => {
  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`pod-${index}`, {}]));
  const asked = planned({ wanted: 10, pods: many }, "not-asked").actions.map((action) =>
    action.kind === "ask-picker" ? requestSize(action.unasked.question) : action.kind,
  );
  expect(asked).toEqual([{ requested: 500, candidates: 1200 }]);
});

test("co-located Pods are counted once, not anew with every Pod that goes", () => {
  const there = { c: together, d: together };
  const state = { wanted: 2, pods: { ...there, e: {}, f: {}, g: {} } };
  expect(goes(state)?.toSorted()).toEqual(["e", "f", "g"]);
});

test.for([
  { name: "all go", state: { wanted: 0, pods: three }, want: ["dismiss-picker", "delete-pods"] },
  { name: "some are missing", state: { wanted: 4, pods: three }, want: ["dismiss-picker", "create-pods"] },
  { name: "there are as many as wanted", state: { wanted: 3, pods: three }, want: ["dismiss-picker"] },
  { name: "what was done has not been seen", state: { wanted: 1, pods: three, isExpecting: true }, want: [] },
  {
    name: "the ReplicaSet is being deleted",
    state: { wanted: 1, pods: three, owner: { deletedAt: "2026-01-01T01:00:00Z" } },
    want: ["dismiss-picker"],
  },
])("a picker that was asked is dismissed unless it may still decide, when $name", ({ state, want }) => {
  expect(kindsOf({ ...state, isPickerAsked: true }, inFlight)).toEqual(want);
  expect(kindsOf(state, inFlight)).toEqual(want.filter((kind) => kind !== "dismiss-picker"));
});

test("a picker that was asked is dismissed when the ReplicaSet has none any more", () => {
  const state = { wanted: 2, pods: three, isPickerAsked: true };
  expect(kindsOf(state)).toEqual(["dismiss-picker", "delete-pods"]);
});

test.for([
  { name: "too few Pods", state: { wanted: 4, pods: three }, want: "fewer-than-desired" },
  { name: "too many Pods", state: { wanted: 2, pods: three }, want: "more-than-desired" },
  { name: "the right number", state: { wanted: 3, pods: three }, want: "as-many-as-desired" },
  { name: "unobserved changes", state: { wanted: 3, pods: three, isExpecting: true }, want: "expecting" },
])("a plan says why it is what it is: $name", ({ state, want }) => {
  expect(planned(state).because).toBe(want);
});

test("a plan has the Pod to create, the status if all goes well, and when Pods become available", () => {
  const readyAt = "2026-01-01T01:59:59Z";
  const { actions, status, recheckAt } = planned({
    wanted: 3,
    pods: { a: { readyAt } },
    owner: { minReadySeconds: 5 },
  });
  expect(actions).toMatchObject([
    { kind: "create-pods", count: 2, draft: { ok: true, pod: { metadata: { generateName: "web-" } } } },
  ]);
  expect(status).toMatchObject({ replicas: 1, readyReplicas: 1 });
  expect(recheckAt).toBe(now + 4000);
});

test("what is reported depends on what came of the actions, and on how long they took", () => {
  const state = stateOf({
    wanted: 3,
    pods: { a: { readyAt: "2026-01-01T01:59:59Z" } },
    owner: { minReadySeconds: 5 },
  });
  const outcome = { kind: "failed", reason: "FailedCreate", message: "quota" } as const;
  const { status, recheckAt } = reportReplicaSet(state, outcome, { now: now + 4000 });
  expect(status).toMatchObject({
    availableReplicas: 1,
    conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "quota" }],
  });
  expect(recheckAt).toBeUndefined();
});
