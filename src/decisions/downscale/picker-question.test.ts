import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { anyFacts, anyPods, now } from "./any-pods.cases.ts";
import { chooseVictims } from "./choose-victims.ts";
import type { Facts } from "./facts.ts";
import { isCandidate, pickerQuestion, type PickerQuestion } from "./picker-question.ts";

const facts: Facts = { now, gates: defaultFeatureGates, related: () => 0 };
const four = ["d", "b", "a", "c"].map((name) => pod(name));
const preferred = { labels: { "kubernetes.io/prefer-for-scale-down": "" } };

function named(question: PickerQuestion): unknown {
  if (question.kind === "NotNeeded") return question.kind;
  return {
    requested: question.requested,
    of: question.candidates.map(({ metadata }) => metadata.name).join(" "),
  };
}

describe("pickerQuestion", () => {
  test.for<{ name: string; pods: readonly Pod[]; count: number; want: unknown }>([
    { name: "asks about all equals, by name", pods: four, count: 2, want: { requested: 2, of: "a b c d" } },
    { name: "needs no one when all go", pods: four, count: 4, want: "NotNeeded" },
    { name: "is not needed when no Pod is removed", pods: four, count: 0, want: "NotNeeded" },
    { name: "takes an absurd count for what it can be", pods: four, count: Number.NaN, want: "NotNeeded" },
    {
      name: "asks for fewer when some go anyway",
      pods: [...four, pod("nowhere", { node: null }), pod("unready", { ready: false })],
      count: 3,
      want: { requested: 1, of: "a b c d" },
    },
    {
      name: "needs no one when enough go anyway",
      pods: [...four, pod("pending", { phase: "Pending" }), pod("unready", { ready: false })],
      count: 2,
      want: "NotNeeded",
    },
    {
      name: "needs no one when the cut goes through Pods that are no candidates",
      pods: [...four, pod("x", { ready: false }), pod("y", { ready: false })],
      count: 1,
      want: "NotNeeded",
    },
    {
      name: "counts a cheaper Pod as gone and leaves a dearer one out",
      pods: [...four, pod("cheap", { deletionCost: -1 }), pod("dear", { deletionCost: 1 })],
      count: 2,
      want: { requested: 1, of: "a b c d" },
    },
    {
      name: "counts a labelled Pod as gone",
      pods: [...four, pod("labelled", preferred)],
      count: 2,
      want: { requested: 1, of: "a b c d" },
    },
    {
      name: "asks about labelled Pods when the cut goes through them",
      pods: [...four, pod("x", preferred), pod("y", preferred)],
      count: 1,
      want: { requested: 1, of: "x y" },
    },
  ])("$name", ({ pods, count, want }) => {
    expect(named(pickerQuestion(pods, count, facts))).toEqual(want);
  });

  test("has nothing to ask while the gate is off", () => {
    const gates = { ...defaultFeatureGates, DownscalePodPicker: false };
    expect(pickerQuestion(four, 2, { ...facts, gates })).toEqual({ kind: "NotNeeded" });
  });

  test("heeds the gates of the rules above the picker", () => {
    const gates = { ...defaultFeatureGates, PodDeletionCost: false };
    const pods = [...four, pod("e", { deletionCost: -1 })];
    expect(named(pickerQuestion(pods, 2, { ...facts, gates }))).toEqual({ requested: 2, of: "a b c d e" });
  });

  test("asks exactly about what the picker can decide: as many as it is asked for go, whatever it answers", () => {
    fc.assert(
      fc.property(
        anyPods,
        anyFacts,
        fc.nat(12),
        fc.infiniteStream(fc.boolean()),
        (pods, facts, count, coin) => {
          const question = pickerQuestion(pods, count, facts);
          if (question.kind === "NotNeeded") return;
          const { candidates, requested } = question;
          expect(requested).toBeGreaterThan(0);
          expect(requested).toBeLessThan(candidates.length);
          expect(candidates.every(isCandidate)).toBe(true);
          const chosen = candidates
            .filter(() => coin.next().value === true)
            .map(({ metadata }) => metadata.name);
          const picks = { chosen: new Set(chosen), tied: new Set<string>() };
          const { victims } = chooseVictims(pods, count, { ...facts, picks });
          expect(victims.filter(({ pod }) => candidates.includes(pod))).toHaveLength(requested);
        },
      ),
    );
  });
});
