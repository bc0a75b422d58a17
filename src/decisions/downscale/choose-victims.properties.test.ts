import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { anyFacts, anyPods, anyWrecks } from "./any-pods.cases.ts";
import { deletionAgeRatios } from "./age-ratio.ts";
import { chooseVictims } from "./choose-victims.ts";
import { countPerNode } from "./co-location.ts";
import type { Facts } from "./facts.ts";
import { pickerQuestion } from "./picker-question.ts";
import { removalProfiles } from "./removal-profiles.ts";
import { rankPods } from "./rank-pods.ts";
import type { Reason } from "./reason.ts";
import { applicable, removalOrder, type Rule } from "./rules.ts";

const uids = (pods: readonly Pod[]): readonly string[] => pods.map((pod) => pod.metadata.uid);
const podsOf = (judged: readonly { readonly pod: Pod }[]): readonly Pod[] => judged.map(({ pod }) => pod);

/** The obvious reading of the rule list: the oracle for the quick one. */
function compare(a: Pod, b: Pod, facts: Facts): number {
  for (const rule of applicable(removalOrder, facts)) {
    const [one, other] = [rule.key(a, facts), rule.key(b, facts)];
    if (one !== other) return one < other === (rule.first === "lower") ? -1 : 1;
  }
  return 0;
}

describe("the order", () => {
  test("is total: of two Pods exactly one goes first, whichever is named first", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, (pods, facts) => {
        for (const a of pods) {
          for (const b of pods) if (a !== b) expect(compare(a, b, facts)).toBe(-compare(b, a, facts));
        }
      }),
    );
  });

  test("is transitive", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, (pods, facts) => {
        const ranked = rankPods(pods, facts).pods;
        for (const [place, pod] of ranked.entries()) {
          for (const later of ranked.slice(place + 1)) expect(compare(pod, later, facts)).toBe(-1);
        }
      }),
    );
  });

  test("does not depend on the order of the input", () => {
    fc.assert(
      fc.property(
        anyPods.chain((pods) =>
          fc.tuple(fc.constant(pods), fc.shuffledSubarray([...pods], { minLength: pods.length })),
        ),
        anyFacts,
        fc.nat(12),
        ([pods, shuffled], facts, count) => {
          expect(uids(rankPods(shuffled, facts).pods)).toEqual(uids(rankPods(pods, facts).pods));
          const victims = chooseVictims(pods, count, facts).victims;
          expect(chooseVictims(shuffled, count, facts).victims).toEqual(victims);
        },
      ),
    );
  });

  test("names the rule that puts each Pod before the next", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, (pods, facts) => {
        const { pods: ranked, why } = rankPods(pods, facts);
        for (const [place, pod] of ranked.slice(0, -1).entries()) separates(pod, why(place), facts);
        expect(why(ranked.length - 1)).toBeUndefined();
      }),
    );
  });
});

/** Whether a stated rule really is the first in which the two Pods differ, and the values are what it saw. */
function separates(pod: Pod, because: Reason | undefined, facts: Facts): void {
  expect(because).toBeDefined();
  if (because === undefined) return;
  const differs = (rule: Rule): boolean => rule.key(pod, facts) !== rule.key(because.against.pod, facts);
  const rule = applicable(removalOrder, facts).find(differs);
  expect({ rule: rule?.name, unit: rule?.unit }).toEqual({ rule: because.rule, unit: because.unit });
  expect([because.value, because.against.value]).toEqual([
    rule?.key(pod, facts),
    rule?.key(because.against.pod, facts),
  ]);
}

describe("a choice", () => {
  test("is the beginning of the ranking", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, fc.integer({ min: -2, max: 14 }), (pods, facts, count) => {
        const going = Math.min(Math.max(count, 0), pods.length);
        const { victims, survivors } = chooseVictims(pods, count, facts);
        const ranked = rankPods(pods, facts).pods;
        expect(uids(podsOf(victims))).toEqual(uids(ranked.slice(0, going)));
        expect(survivors[0]?.pod).toBe(going === 0 ? pods[0] : ranked[going]);
      }),
    );
  });

  test("loses no Pod and makes none up", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, fc.nat(14), (pods, facts, count) => {
        const { victims, survivors } = chooseVictims(pods, count, facts);
        const all = [...podsOf(victims), ...podsOf(survivors)];
        expect(all).toHaveLength(pods.length);
        expect(new Set(all)).toEqual(new Set(pods));
      }),
    );
  });

  test("holds victims against the first survivor and survivors against the last victim", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, fc.nat(14), (pods, facts, count) => {
        const { victims, survivors } = chooseVictims(pods, count, facts);
        const isCut = victims.length > 0 && survivors.length > 0;
        for (const [side, rival] of [
          [victims, survivors[0]],
          [survivors, victims.at(-1)],
        ] as const) {
          for (const { pod, because } of side) {
            expect(because?.against.pod).toBe(isCut ? rival?.pod : undefined);
            if (isCut) separates(pod, because, facts);
          }
        }
      }),
    );
  });

  test("does not reorder its victims when another survivor joins", () => {
    fc.assert(
      fc.property(anyPods, anyFacts, fc.nat(12), (pods, facts, count) => {
        const { victims, survivors } = chooseVictims(pods, count, facts);
        for (const survivor of survivors) {
          const others = pods.filter((pod) => pod !== survivor.pod);
          const going = Math.min(victims.length, others.length);
          expect(podsOf(chooseVictims(others, going, facts).victims)).toEqual(podsOf(victims));
        }
      }),
    );
  });

  test("never throws, whatever the Pods and the count look like", () => {
    const anyCount = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -Infinity, -1, 1.5));
    fc.assert(
      fc.property(anyPods, anyWrecks, anyFacts, anyCount, (pods, wrecks, facts, count) => {
        const all = [...pods, ...wrecks];
        const { victims, survivors } = chooseVictims(all, count, { ...facts, related: countPerNode(all) });
        expect(victims.length + survivors.length).toBe(all.length);
        for (const name of ["trimtab", "kubernetes-1.36"] as const)
          removalProfiles[name].choose(all, count, facts);
        pickerQuestion(all, count, facts);
        deletionAgeRatios(podsOf(victims), all, facts.now);
      }),
    );
  });
});
