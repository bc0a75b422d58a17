import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { now } from "./any-pods.cases.ts";
import { chooseVictims, chooseVictimsInSteps } from "./choose-victims.ts";
import { countPerNode } from "./co-location.ts";
import type { Facts } from "./facts.ts";
import type { DecidedPod } from "./reason.ts";

function factsFor(pods: readonly Pod[]): Facts {
  return { now, gates: defaultFeatureGates, related: countPerNode(pods) };
}

/** A Pod and its reason on one line: `unready: not-ready 0 against cheap 1`. */
function line({ pod, because }: DecidedPod): string {
  const name = pod.metadata.name;
  if (because === undefined) return name;
  const { rule, value, against } = because;
  return `${name}: ${rule} ${value} against ${against.pod.metadata.name} ${against.value}`;
}

const cheap = pod("cheap", { deletionCost: -9 });
const unready = pod("unready", { ready: false });
const plain = pod("plain");

describe("chooseVictims", () => {
  test.for([
    {
      name: "removes nothing for a count of zero",
      pods: [plain],
      count: 0,
      victims: [],
      survivors: ["plain"],
    },
    { name: "needs no reason when all go", pods: [plain], count: 1, victims: ["plain"], survivors: [] },
    { name: "has nothing to choose from no Pods", pods: [], count: 3, victims: [], survivors: [] },
    {
      name: "prefers an unready Pod to a cheap one",
      pods: [cheap, unready],
      count: 1,
      victims: ["unready: not-ready 0 against cheap 1"],
      survivors: ["cheap: not-ready 1 against unready 0"],
    },
    {
      name: "holds each victim against the first survivor, each survivor against the last victim",
      pods: [plain, cheap, pod("dear", { deletionCost: 5 }), unready],
      count: 2,
      victims: ["unready: not-ready 0 against plain 1", "cheap: deletion-cost -9 against plain 0"],
      survivors: ["plain: deletion-cost 0 against cheap -9", "dear: deletion-cost 5 against cheap -9"],
    },
    {
      name: "does not count anew as nodes empty",
      pods: ["a1", "a2", "a3", "b1", "b2"].map((name) => pod(name, { node: `node-${name[0]}` })),
      count: 3,
      victims: ["a1", "a2", "a3"].map((name) => `${name}: co-located 3 against b1 2`),
      survivors: ["b1", "b2"].map((name) => `${name}: co-located 2 against a3 3`),
    },
  ])("$name", ({ pods, count, victims, survivors }) => {
    const choice = chooseVictims(pods, count, factsFor(pods));
    expect(choice.victims.map(line)).toEqual(victims);
    expect(choice.survivors.map(line)).toEqual(survivors);
  });

  test.for([
    { count: -1, goes: 0 },
    { count: Number.NaN, goes: 0 },
    { count: -Infinity, goes: 0 },
    { count: 1.9, goes: 1 },
    { count: 4, goes: 3 },
    { count: Infinity, goes: 3 },
  ])("takes a count of $count of three for $goes", ({ count, goes }) => {
    const pods = [plain, cheap, unready];
    expect(chooseVictims(pods, count, factsFor(pods)).victims).toHaveLength(goes);
  });

  test("says what the values count where the rule has two ways of counting", () => {
    const pods = [pod("old"), pod("new", { readyAt: "2026-03-01T11:59:00Z" })];
    const [victim] = chooseVictims(pods, 1, factsFor(pods)).victims;
    expect(victim?.because).toMatchObject({ rule: "ready-time", unit: "bucket", value: 35 });
  });

  test("gives Pods that nothing separates the last rule with equal values", () => {
    const twins = [pod("twin"), pod("twin")];
    const { victims, survivors } = chooseVictims(twins, 1, factsFor(twins));
    expect(victims.map(line)).toEqual(["twin: uid twin against twin twin"]);
    expect(survivors.map(line)).toEqual(["twin: uid twin against twin twin"]);
  });
});

test("a choice among many Pods pauses again and again, and is the same as one without a pause", () => {
  const pods = Array.from({ length: 9000 }, (_, index) =>
    pod(`web-${index}`, { uid: `${(index * 7919) % 9001}` }),
  );
  const steps = chooseVictimsInSteps(pods, 500, factsFor(pods));
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses++;
  expect(pauses).toBeGreaterThan(20);
  expect(step.value).toEqual(chooseVictims(pods, 500, factsFor(pods)));
  const byUid = pods.map(({ metadata }) => metadata.uid).sort();
  expect(step.value.victims.map((victim) => victim.pod.metadata.uid)).toEqual(byUid.slice(0, 500));
  expect(step.value.survivors[0]?.pod.metadata.uid).toBe(byUid[500]);
});
