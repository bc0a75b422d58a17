import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { parseTime } from "../../api/time.ts";
import { pod } from "../../testing/pod.ts";
import { chooseVictims } from "../downscale/choose-victims.ts";
import { countPerNode } from "../downscale/co-location.ts";
import type { Facts } from "../downscale/facts.ts";
import { toRemovalRecord } from "./removal-record.ts";

const now = parseTime("2026-01-01T02:00:00Z") ?? 0;
const workload = { kind: "ReplicaSet", namespace: "default", name: "web", uid: "uid-of-web" };
const pods = [
  pod("cheap", { deletionCost: -1 }),
  pod("dear", { deletionCost: 7 }),
  pod("waiting", { node: null }),
];
const facts: Facts = { now, gates: defaultFeatureGates, related: countPerNode(pods) };

test("a record has every candidate with its keys, what became of it, and why", () => {
  const record = toRemovalRecord({ workload, choice: chooseVictims(pods, 2, facts), facts });
  expect(record).toMatchObject({ time: "2026-01-01T02:00:00.000000Z", workload, removing: 2, of: 3 });
  expect(record.gates).toEqual(defaultFeatureGates);
  const cost = record.rules.findIndex(({ name }) => name === "deletion-cost");
  expect(record.candidates.map(({ pod: name, verdict, keys }) => [name, verdict, keys[cost]])).toEqual([
    ["waiting", "goes", 0],
    ["cheap", "goes", -1],
    ["dear", "stays", 7],
  ]);
  expect(record.candidates.map(({ because }) => because)).toEqual([
    { rule: "unassigned", value: 0, against: { pod: "dear", value: 1 } },
    { rule: "deletion-cost", value: -1, against: { pod: "dear", value: 7 } },
    { rule: "deletion-cost", value: 7, against: { pod: "cheap", value: -1 } },
  ]);
  expect(record.candidates.map(({ node }) => node)).toEqual([undefined, "node-1", "node-1"]);
  expect(record.candidates[1]?.reason).toBe("deletion-cost: -1, dear has 7");
});

test("a rule that has no say is not among the rules", () => {
  const gates = { ...defaultFeatureGates, PodDeletionCost: false };
  const choice = chooseVictims(pods, 1, { ...facts, gates });
  const record = toRemovalRecord({ workload, choice, facts: { ...facts, gates } });
  expect(record.rules.map(({ name }) => name)).not.toContain("deletion-cost");
});

test("when all Pods go there was nothing to compare", () => {
  const choice = { victims: pods.map((one) => ({ pod: one })), survivors: [] };
  const record = toRemovalRecord({ workload, choice, facts });
  expect(record.rules).toEqual([]);
  expect(record.candidates[0]).toEqual({
    pod: "cheap",
    uid: "uid-of-cheap",
    node: "node-1",
    verdict: "goes",
    keys: [],
    reason: "all Pods go",
  });
});

test("what came of asking a picker is part of it", () => {
  const picker = { outcome: "Failed", class: "Timeout" };
  const record = toRemovalRecord({ workload, choice: chooseVictims(pods, 1, facts), facts, picker });
  expect(record.picker).toEqual(picker);
});

test("a record is plain JSON, even where an age is not known", () => {
  const unknown = [pod("a", { readyAt: null }), pod("b")];
  const gates = { ...defaultFeatureGates, LogarithmicScaleDown: false };
  const choice = chooseVictims(unknown, 1, { ...facts, gates });
  const record = toRemovalRecord({ workload, choice, facts: { ...facts, gates } });
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  expect(record.candidates[0]?.because?.value).toBeNull();
});

test("a record of a huge workload lists the Pods that go and the first of those that stay", () => {
  const many = Array.from({ length: 700 }, (_, index) => pod(`web-${index}`));
  const record = toRemovalRecord({ workload, choice: chooseVictims(many, 50, facts), facts });
  expect(record).toMatchObject({ removing: 50, of: 700, leftOut: 150 });
  expect(record.candidates.filter(({ verdict }) => verdict === "goes")).toHaveLength(50);
  expect(record.candidates.filter(({ verdict }) => verdict === "stays")).toHaveLength(500);
});
