import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates, type FeatureGate } from "../../api/feature-gates.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { anyFacts, anyPods, anyWrecks, now } from "../downscale/any-pods.cases.ts";
import { chooseVictims } from "../downscale/choose-victims.ts";
import type { Facts } from "../downscale/facts.ts";
import { removalReason, survivalReason } from "./removal-reason.ts";

interface Case {
  readonly goes: PodTraits;
  readonly stays?: PodTraits;
  readonly facts?: Partial<Facts>;
  readonly removal: string;
  readonly survival: string;
}

const without = (gate: FeatureGate): Partial<Facts> => ({ gates: { ...defaultFeatureGates, [gate]: false } });

const cases: readonly Case[] = [
  {
    goes: { node: null },
    stays: { node: "node-2" },
    removal: "unassigned: on no node, web-4 is on node-2",
    survival: "unassigned: on node-2, web-1 is on no node",
  },
  {
    goes: { phase: "Pending" },
    removal: "phase: Pending, web-4 is Running",
    survival: "phase: Running, web-1 is Pending",
  },
  {
    goes: { phase: "" },
    stays: { phase: "Unknown" },
    removal: "phase: without a phase (counts as Pending), web-4 is Unknown",
    survival: "phase: Unknown, web-1 is without a phase (counts as Pending)",
  },
  {
    goes: { ready: false },
    removal: "not-ready: not Ready, web-4 is Ready",
    survival: "not-ready: Ready, web-1 is not Ready",
  },
  {
    goes: { deletionCost: -5 },
    removal: "deletion-cost: -5, web-4 has 0",
    survival: "deletion-cost: 0, web-1 has -5",
  },
  {
    goes: { labels: { "kubernetes.io/prefer-for-scale-down": "" } },
    removal: "preferred: labelled kubernetes.io/prefer-for-scale-down, web-4 is not",
    survival: "preferred: not labelled, web-1 is",
  },
  {
    goes: {},
    facts: { picks: { chosen: new Set(["web-1"]), tied: new Set(["web-4"]) } },
    removal: "picker: chosen, web-4 is tied",
    survival: "picker: tied, web-1 is chosen",
  },
  {
    goes: {},
    facts: { picks: { chosen: new Set(["web-1"]), tied: new Set() } },
    removal: "picker: chosen, web-4 is not named",
    survival: "picker: not named, web-1 is chosen",
  },
  {
    goes: { node: "node-2" },
    facts: { related: ({ spec }) => (spec.nodeName === "node-2" ? 3 : 1) },
    removal: "co-located: 3 Pods of this workload on node-2, web-4 has 1",
    survival: "co-located: 1 Pod of this workload on node-1, web-1 has 3",
  },
  {
    goes: { readyAt: "2026-03-01T10:30:00Z" },
    stays: { readyAt: "2026-03-01T02:00:00Z" },
    removal: "ready-time: Ready for 73m to 146m, web-4 for 9h to 19h",
    survival: "ready-time: Ready for 9h to 19h, web-1 for 73m to 146m",
  },
  {
    goes: { readyAt: null },
    stays: { readyAt: "2026-03-01T12:00:00Z" },
    removal: "ready-time: Ready since an unknown time, web-4 just now",
    survival: "ready-time: Ready just now, web-1 since an unknown time",
  },
  {
    goes: { readyAt: "2026-03-01T11:59:58Z" },
    stays: { readyAt: "2026-03-01T11:59:55Z" },
    facts: without("LogarithmicScaleDown"),
    removal: "ready-time: Ready for 2s, web-4 for 5s",
    survival: "ready-time: Ready for 5s, web-1 for 2s",
  },
  {
    goes: { readyAt: null },
    stays: { readyAt: "2026-03-01T12:00:01Z" },
    facts: without("LogarithmicScaleDown"),
    removal: "ready-time: Ready since an unknown time, web-4 just now",
    survival: "ready-time: Ready just now, web-1 since an unknown time",
  },
  {
    goes: { restarts: 5 },
    stays: { restarts: 1 },
    removal: "restarts: 5 restarts, web-4 has 1",
    survival: "restarts: 1 restart, web-1 has 5",
  },
  {
    goes: { sidecarRestarts: 2 },
    removal: "restarts: 2 sidecar restarts, web-4 has 0",
    survival: "restarts: 0 sidecar restarts, web-1 has 2",
  },
  {
    goes: { createdAt: "2026-03-01T11:59:59.500Z" },
    stays: { createdAt: "2026-02-01T00:00:00Z" },
    removal: "creation-time: created up to 1s ago, web-4 26d to 52d ago",
    survival: "creation-time: created 26d to 52d ago, web-1 up to 1s ago",
  },
  {
    goes: { createdAt: "soon" },
    stays: { createdAt: "2026-03-01T12:00:00Z" },
    removal: "creation-time: created at an unknown time, web-4 just now",
    survival: "creation-time: created just now, web-1 at an unknown time",
  },
  {
    goes: { uid: "0b1c" },
    stays: { uid: "9f3e" },
    removal: "uid: no rule tells them apart; chosen at random by UID",
    survival: "uid: no rule tells them apart; kept at random by UID",
  },
  {
    goes: { uid: "" },
    stays: { uid: "" },
    removal: "uid: no rule tells them apart; chosen by name",
    survival: "uid: no rule tells them apart; kept by name",
  },
];

describe("a reason in words", () => {
  test.for(cases)("$removal", ({ goes, stays, facts, removal, survival }) => {
    const pods = [pod("web-1", goes), pod("web-4", stays)];
    const all = { now, gates: defaultFeatureGates, related: () => 0, ...facts };
    const { victims, survivors } = chooseVictims(pods, 1, all);
    expect(victims.map(removalReason)).toEqual([removal]);
    expect(survivors.map(survivalReason)).toEqual([survival]);
  });

  test("is a whole sentence for Pods of all sorts", () => {
    fc.assert(
      fc.property(anyPods, anyWrecks, anyFacts, fc.nat(12), (pods, wrecks, facts, count) => {
        const { victims, survivors } = chooseVictims([...pods, ...wrecks], count, facts);
        for (const sentence of [...victims.map(removalReason), ...survivors.map(survivalReason)]) {
          expect(sentence).toMatch(/^(?:all Pods go|no Pod goes|uid: no rule .*|[a-z-]+: \S.*, \S+ \S.*)$/);
          expect(sentence).not.toMatch(/undefined|NaN|null/);
        }
      }),
    );
  });

  test("needs no comparison when all go or none", () => {
    expect(removalReason({ pod: pod("web-1") })).toBe("all Pods go");
    expect(survivalReason({ pod: pod("web-1") })).toBe("no Pod goes");
  });
});
