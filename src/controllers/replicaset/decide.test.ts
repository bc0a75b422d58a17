import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { parseTime } from "../../api/time.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { type PickerProgress, type PickerPort, noPickers } from "./picker-port.ts";
import { decide } from "./decide.ts";

const now = parseTime("2026-01-01T02:00:00Z") ?? 0;

interface State {
  readonly wanted: number;
  readonly pods: Readonly<Record<string, PodTraits>>;
  readonly related?: readonly Pod[];
  readonly isExpecting?: boolean;
}

function decided(
  { wanted, pods, related = [], isExpecting = false }: State,
  consultations: PickerPort<unknown> = noPickers,
) {
  const active = Object.entries(pods).map(([name, traits]) => pod(name, traits));
  return decide(
    {
      owner: replicaSet("web", { size: wanted }),
      active,
      isExpecting,
      now,
      gates: defaultFeatureGates,
      related: () => (related.length > 0 ? related : active),
    },
    consultations,
  );
}

function goes(state: State, consultations?: PickerPort<unknown>) {
  const decision = decided(state, consultations);
  return decision.kind === "delete"
    ? decision.removal.choice.victims.map(({ pod: one }) => one.metadata.name)
    : [];
}

const waiting: PodTraits = { node: null, phase: "Pending", ready: false };
const pending: PodTraits = { node: "node-3", phase: "Pending", ready: false };
const unready: PodTraits = { node: "node-3", ready: false };
const together: PodTraits = { node: "node-2" };

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

test("when all go they go in the order they are listed, and nobody asks who is related", () => {
  const active = ["c", "a", "b"].map((name) => pod(name));
  const decision = decide(
    {
      owner: replicaSet("web", { size: 0 }),
      active,
      isExpecting: false,
      now,
      gates: defaultFeatureGates,
      related: () => {
        throw new Error("asked");
      },
    },
    noPickers,
  );
  expect(decision).toMatchObject({
    kind: "delete",
    removal: { choice: { victims: active.map((one) => ({ pod: one })), survivors: [] } },
  });
});

test("the list that was given stays in its order", () => {
  const active = Object.freeze(["c", "a", "b"].map((name) => pod(name)));
  const state = {
    owner: replicaSet("web", { size: 1 }),
    isExpecting: false,
    now,
    gates: defaultFeatureGates,
  };
  decide({ ...state, active: [...active], related: () => active }, noPickers);
  expect(active.map(({ metadata }) => metadata.name)).toEqual(["c", "a", "b"]);
});

/** A picker's desk that says the same to everyone and remembers what happened. */
function desk(consultation: PickerProgress) {
  const log: string[] = [];
  const consultations: PickerPort<unknown> = {
    on: (_owner, { count, pods: asked }) => {
      log.push(`asked for ${count} of ${asked.length}`);
      return consultation;
    },
    dismiss: (key) => void log.push(`dismissed ${key}`),
    synced: () => Promise.resolve(true),
  };
  return { consultations, log };
}

const three = { a: {}, b: {}, c: {} };

test("while a picker has not answered nothing is done", () => {
  const { consultations, log } = desk({ kind: "pending" });
  expect(decided({ wanted: 2, pods: three }, consultations)).toEqual({ kind: "skip" });
  expect(log).toEqual(["asked for 1 of 3"]);
});

test("what a picker chose goes, and what came of asking is kept for the record", () => {
  const outcome = { outcome: "Ranked" };
  const picks = { chosen: new Set(["c"]), tied: new Set<string>() };
  const { consultations } = desk({ kind: "settled", outcome, picks });
  expect(decided({ wanted: 2, pods: three }, consultations)).toMatchObject({
    kind: "delete",
    removal: {
      picker: outcome,
      choice: { victims: [{ pod: { metadata: { name: "c" } }, because: { rule: "picker" } }] },
    },
  });
});

test("a picker that was of no use leaves the normal order alone", () => {
  const { consultations } = desk({ kind: "settled", outcome: { outcome: "Failed" } });
  const state = { wanted: 1, pods: { alone: {}, "with-b": together, "with-a": together } };
  expect(goes(state, consultations)).toEqual(["with-a", "with-b"]);
});

test("a picker is asked about as many as go at a time, and once more for the rest", () => {
  const { consultations, log } = desk({ kind: "pending" });
  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`pod-${index}`, {}]));
  decided({ wanted: 10, pods: many }, consultations);
  expect(log).toEqual(["asked for 500 of 1200"]);
});

test("company is counted once, not anew with every Pod that goes", () => {
  const there = { c: together, d: together };
  const state = { wanted: 2, pods: { ...there, e: {}, f: {}, g: {} } };
  expect(goes(state).toSorted()).toEqual(["e", "f", "g"]);
});

test.for([
  { name: "all go", state: { wanted: 0, pods: three }, want: ["dismissed default/web"] },
  { name: "some are missing", state: { wanted: 4, pods: three }, want: ["dismissed default/web"] },
  { name: "there are as many as wanted", state: { wanted: 3, pods: three }, want: ["dismissed default/web"] },
  { name: "what was done has not been seen", state: { wanted: 1, pods: three, isExpecting: true }, want: [] },
])("no picker is asked when $name", ({ state, want }) => {
  const { consultations, log } = desk({ kind: "pending" });
  decided(state, consultations);
  expect(log).toEqual(want);
});
