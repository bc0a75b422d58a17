import { describe, expect, test } from "vitest";
import { defaultFeatureGates, type FeatureGate } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { now } from "./any-pods.cases.ts";
import type { Facts } from "./facts.ts";
import { rankPods } from "./rank-pods.ts";
import { applicable, removalOrder, type RuleName } from "./rules.ts";

const recently = "2026-03-01T11:00:00Z";
const labelled = { labels: { "kubernetes.io/prefer-for-scale-down": "false" } };
const crowded = { annotations: { crowded: "" } };
const picked = { annotations: { picked: "" } };
const tied = { annotations: { tied: "" } };

/** Which of these Pods a picker named is written on them. */
function factsFor(
  pods: readonly Pod[],
  { off, picker }: { off?: FeatureGate; picker?: boolean } = {},
): Facts {
  const namesWith = (annotation: string): ReadonlySet<string> =>
    new Set(
      pods
        .filter(({ metadata }) => metadata.annotations?.[annotation] !== undefined)
        .map(({ metadata }) => metadata.name),
    );
  return {
    now,
    gates: { ...defaultFeatureGates, ...(off === undefined ? {} : { [off]: false }) },
    related: ({ metadata }) => (metadata.annotations?.["crowded"] === undefined ? 1 : 2),
    ...(picker === true ? { picks: { chosen: namesWith("picked"), tied: namesWith("tied") } } : {}),
  };
}

test("the rules are those of the documentation, in its order", () => {
  const names = removalOrder.map(({ name }) => name);
  expect([...new Set(names)]).toEqual([
    "unassigned",
    "phase",
    "not-ready",
    "deletion-cost",
    "preferred",
    "picker",
    "spread",
    "consolidate",
    "co-located",
    "machine-cost",
    "ready-time",
    "restarts",
    "creation-time",
    "uid",
  ]);
});

const switches = [true, false];
const combinations = switches.flatMap((PodDeletionCost) =>
  switches.flatMap((PreferForScaleDownLabel) =>
    switches.flatMap((DownscalePodPicker) =>
      switches.map((hasAnswer) => ({
        PodDeletionCost,
        PreferForScaleDownLabel,
        DownscalePodPicker,
        hasAnswer,
      })),
    ),
  ),
);

test.for(combinations)(
  "costs $PodDeletionCost, label $PreferForScaleDownLabel, picker $DownscalePodPicker, answer $hasAnswer: the rules in force are",
  ({ hasAnswer, ...changed }) => {
    const gates = { ...defaultFeatureGates, ...changed };
    const picks = { chosen: new Set(["a"]), tied: new Set<string>() };
    const facts = { now, gates, related: () => 0, ...(hasAnswer && { picks }) };
    const isPicked = hasAnswer && gates.DownscalePodPicker;
    expect([...new Set(applicable(removalOrder, facts).map(({ name }) => name))]).toEqual([
      "unassigned",
      "phase",
      "not-ready",
      ...(gates.PodDeletionCost ? ["deletion-cost"] : []),
      ...(gates.PreferForScaleDownLabel ? ["preferred"] : []),
      isPicked ? "picker" : "co-located",
      "ready-time",
      "restarts",
      "creation-time",
      "uid",
    ]);
  },
);

interface Case {
  readonly name: string;
  readonly rule: RuleName;
  readonly first: PodTraits;
  readonly over?: PodTraits;
  readonly picker?: boolean;
  readonly off?: FeatureGate;
}

const cases: readonly Case[] = [
  { name: "no node", rule: "unassigned", first: { node: null } },
  { name: "an empty node", rule: "unassigned", first: { node: "" } },
  { name: "Pending", rule: "phase", first: { phase: "Pending" } },
  { name: "Pending before Unknown", rule: "phase", first: { phase: "Pending" }, over: { phase: "Unknown" } },
  { name: "Unknown", rule: "phase", first: { phase: "Unknown" } },
  { name: "an unknown phase", rule: "phase", first: { phase: "Dreaming" }, over: { phase: "Unknown" } },
  { name: "not Ready", rule: "not-ready", first: { ready: false } },
  { name: "cheap", rule: "deletion-cost", first: { deletionCost: -1 } },
  { name: "not dear", rule: "deletion-cost", first: {}, over: { deletionCost: 1 } },
  { name: "labelled, whatever the value", rule: "preferred", first: labelled },
  { name: "chosen", rule: "picker", first: picked, over: tied, picker: true },
  { name: "tied", rule: "picker", first: tied, picker: true },
  { name: "crowded", rule: "co-located", first: crowded },
  {
    name: "crowded, when the picker has no gate",
    rule: "co-located",
    first: crowded,
    over: picked,
    picker: true,
    off: "DownscalePodPicker",
  },
  { name: "ready for less time", rule: "ready-time", first: { readyAt: recently } },
  { name: "ready since a time to come", rule: "ready-time", first: { readyAt: "2027-01-01T00:00:00Z" } },
  {
    name: "ready since an unknown time",
    rule: "ready-time",
    first: { readyAt: null },
    over: { readyAt: "2027-01-01T00:00:00Z" },
  },
  {
    name: "ready for a second less, without buckets",
    rule: "ready-time",
    first: { readyAt: "2026-01-01T00:00:11Z" },
    off: "LogarithmicScaleDown",
  },
  {
    name: "more restarts",
    rule: "restarts",
    first: { restarts: 2 },
    over: { restarts: 1, sidecarRestarts: 9 },
  },
  { name: "more sidecar restarts", rule: "restarts", first: { sidecarRestarts: 1 } },
  { name: "younger", rule: "creation-time", first: { createdAt: recently } },
  {
    name: "younger by a second, without buckets",
    rule: "creation-time",
    first: { createdAt: "2026-01-01T00:00:01Z" },
    off: "LogarithmicScaleDown",
  },
  {
    name: "of an unknown age",
    rule: "creation-time",
    first: { createdAt: "?" },
    over: { createdAt: recently },
  },
  { name: "the smaller UID", rule: "uid", first: { uid: "10" }, over: { uid: "9" } },
  { name: "the smaller UID by code units", rule: "uid", first: { uid: "Z" }, over: { uid: "a" } },
  { name: "the smaller name, for want of UIDs", rule: "uid", first: { uid: "" }, over: { uid: "" } },
];

describe("first to go", () => {
  test.for(cases)("is $name: $rule", ({ rule, first, over, picker, off }) => {
    const pods = [pod("b", over), pod("a", first)];
    const facts = factsFor(pods, {
      ...(off === undefined ? {} : { off }),
      ...(picker === true ? { picker } : {}),
    });
    const { pods: ranked, why } = rankPods(pods, facts);
    expect([ranked[0]?.metadata.name, why(0)?.rule]).toEqual(["a", rule]);
  });

  // Each Pod goes first by its own rule alone; every rule above it would rather keep it.
  test("is decided by the topmost rule in which two Pods differ", () => {
    const byRule: readonly PodTraits[] = [
      { node: null },
      { phase: "Pending" },
      { ready: false },
      { deletionCost: -1 },
      labelled,
      picked,
      { readyAt: recently },
      { restarts: 1 },
      { createdAt: recently },
      { uid: "0" },
    ];
    const pods = byRule.map((traits, index) => pod(`pod-${index}`, { uid: `${9 - index}`, ...traits }));
    const { pods: ranked, why } = rankPods(pods.toReversed(), factsFor(pods, { picker: true }));
    expect(ranked).toEqual(pods);
    expect(ranked.slice(1).map((_, place) => why(place)?.rule)).toEqual([
      "unassigned",
      "phase",
      "not-ready",
      "deletion-cost",
      "preferred",
      "picker",
      "ready-time",
      "restarts",
      "creation-time",
    ]);
  });
});

describe("a rule has no say", () => {
  test.for([
    { name: "costs without PodDeletionCost", off: "PodDeletionCost", traits: { deletionCost: -1 } },
    { name: "the label without PreferForScaleDownLabel", off: "PreferForScaleDownLabel", traits: labelled },
    { name: "a picker without DownscalePodPicker", off: "DownscalePodPicker", traits: picked },
  ] as const)("for $name", ({ off, traits }) => {
    const pods = [pod("a", { uid: "1" }), pod("b", { uid: "2", ...traits })];
    expect(rankPods(pods, factsFor(pods, { off, picker: true })).why(0)?.rule).toBe("uid");
    expect(rankPods(pods, factsFor(pods, { picker: true })).pods[0]?.metadata.name).toBe("b");
  });

  test("on instants within one bucket: the next rule decides, not yet the UID", () => {
    const pods = [
      pod("a", { uid: "1" }),
      pod("b", { uid: "2", readyAt: "2026-01-01T00:00:20Z", restarts: 1 }),
    ];
    const { pods: ranked, why } = rankPods(pods, factsFor(pods));
    expect([ranked[0]?.metadata.name, why(0)?.rule]).toEqual(["b", "restarts"]);
  });

  test("on the label outside phase Running", () => {
    const pods = [
      pod("a", { uid: "1", phase: "Unknown" }),
      pod("b", { uid: "2", phase: "Unknown", ...labelled }),
    ];
    expect(rankPods(pods, factsFor(pods)).why(0)?.rule).toBe("uid");
  });

  test("on the ready time of Pods that are not ready", () => {
    const pods = [
      pod("a", { uid: "1", ready: false }),
      pod("b", { uid: "2", ready: false, readyAt: recently }),
    ];
    expect(rankPods(pods, factsFor(pods)).why(0)?.rule).toBe("uid");
  });

  test("on crowded nodes while a picker is heard", () => {
    const pods = [pod("a", { uid: "1" }), pod("b", { uid: "2", ...crowded })];
    expect(rankPods(pods, factsFor(pods, { picker: true })).why(0)?.rule).toBe("uid");
  });
});
