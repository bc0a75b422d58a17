import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { anyFacts, anyPods, now } from "./any-pods.cases.ts";
import { chooseAsKubernetes } from "./choose-as-kubernetes.ts";
import { upstreamOrder } from "./kubernetes-order.ts";
import type { Facts } from "./facts.ts";
import { rankByComparison } from "./rank-by-comparison.cases.ts";

const facts: Facts = { now, gates: defaultFeatureGates, related: () => 0 };
const names = (pods: readonly Pod[]): string => pods.map(({ metadata }) => metadata.name).join(" ");

// A before B by restarts, B before C and C before A by UID, since C became ready at another instant of the same bucket.
const cycle = [
  pod("a", { uid: "c", restarts: 5 }),
  pod("b", { uid: "a" }),
  pod("c", { uid: "b", readyAt: "2026-01-01T00:00:11Z" }),
];
const sure = pod("sure", { ready: false });
const safe = pod("safe", { deletionCost: 7 });

describe("chooseAsKubernetes", () => {
  test.for<{ name: string; pods: readonly Pod[]; count: number; want: readonly [string, string, string] }>([
    { name: "leaves a cycle open", pods: cycle, count: 1, want: ["", "a b c", ""] },
    {
      name: "decides which Pods it removes before a cycle",
      pods: [...cycle, sure],
      count: 2,
      want: ["sure", "a b c", ""],
    },
    {
      name: "decides which Pods stay after a cycle",
      pods: [safe, ...cycle],
      count: 2,
      want: ["", "a b c", "safe"],
    },
    {
      name: "is sure of a cycle that goes as a whole",
      pods: [safe, ...cycle],
      count: 3,
      want: ["a b c", "", "safe"],
    },
    { name: "leaves full ties open", pods: [pod("a"), pod("b")], count: 1, want: ["", "a b", ""] },
    { name: "takes all", pods: [pod("a"), pod("b")], count: 2, want: ["a b", "", ""] },
    { name: "takes none", pods: [pod("a"), pod("b")], count: -1, want: ["", "", "a b"] },
    {
      name: "lets the UID decide between instants of one bucket",
      pods: [pod("a", { uid: "2" }), pod("b", { uid: "1", readyAt: "2026-01-01T00:00:11Z" })],
      count: 1,
      want: ["b", "", "a"],
    },
    {
      name: "knows no label",
      pods: [pod("a"), pod("b", { labels: { "kubernetes.io/prefer-for-scale-down": "" } })],
      count: 1,
      want: ["", "a b", ""],
    },
  ])("$name", ({ pods, count, want }) => {
    const { victims, either, survivors } = chooseAsKubernetes(pods, count, facts);
    const sorted = [victims.map(({ pod }) => pod), either, survivors.map(({ pod }) => pod)].map((side) =>
      side.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
    );
    expect(sorted.map(names)).toEqual(want);
  });

  test("knows no picker", () => {
    const picks = { chosen: new Set(["b"]), tied: new Set<string>() };
    expect(names(chooseAsKubernetes([pod("a"), pod("b")], 1, { ...facts, picks }).either)).toBe("a b");
  });

  test("says why it is sure", () => {
    const { victims, survivors } = chooseAsKubernetes([safe, ...cycle, sure], 2, facts);
    expect(victims[0]?.because).toMatchObject({ rule: "not-ready", value: 0, against: { value: 1 } });
    expect(survivors[0]?.because).toMatchObject({ rule: "deletion-cost", value: 7, against: { value: 0 } });
  });

  test("agrees with comparing every Pod with every other", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, fc.nat(12), (pods, { now, gates, related }, count) => {
        const facts = { now, gates, related };
        const groups = rankByComparison([...pods.keys()], upstreamOrder(pods, facts).compare);
        const { victims, either, survivors } = chooseAsKubernetes(pods, count, facts);
        let placed = 0;
        for (const group of groups) {
          const isVictim = placed + group.length <= count;
          const isSurvivor = placed >= count;
          const side = isVictim ? victims : survivors;
          const found = isVictim || isSurvivor ? side.map(({ pod }) => pod) : either;
          for (const index of group) expect(found).toContain(pods[index]);
          placed += group.length;
        }
        expect(victims.length + either.length + survivors.length).toBe(pods.length);
      }),
    );
  });

  test("states a rule that separates the two it names", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, fc.nat(12), (pods, facts, count) => {
        const { victims, survivors } = chooseAsKubernetes(pods, count, facts);
        for (const { because } of [...victims, ...survivors]) {
          if (because !== undefined) expect(because.value).not.toBe(because.against.value);
        }
      }),
    );
  });
});
