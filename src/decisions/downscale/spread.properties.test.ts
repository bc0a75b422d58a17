import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import { anySpread, type ConstrainedWorkload } from "./any-spread.cases.ts";
import { chooseVictims } from "./choose-victims.ts";
import { nodeOf } from "./co-location.ts";
import { rankPods } from "./rank-pods.ts";
import { applicable, removalOrder } from "./rules.ts";
import type { SpreadDomains } from "./facts.ts";

const runs = { numRuns: 100 };

/** How many Pods each domain has; every domain that has a node is there. */
function countsOf({ domains, selection, base }: SpreadDomains, pods: readonly Pod[]): Map<string, number> {
  const counts = new Map([...domains.values()].map((domain) => [domain, base.get(domain) ?? 0]));
  for (const pod of pods) {
    const domain = domains.get(nodeOf(pod));
    if (domain !== undefined && matchesLabels(selection, pod.metadata.labels))
      counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}

/** The fullest less the emptiest of the domains that Pods of the workload were in. */
function skewOf(constraint: SpreadDomains, before: readonly Pod[], pods: readonly Pod[]): number {
  const counts = countsOf(constraint, pods);
  const held = new Set(before.map((pod) => constraint.domains.get(nodeOf(pod)) ?? ""));
  const numbers = [...counts].filter(([domain]) => held.has(domain)).map(([, count]) => count);
  return Math.max(...numbers) - Math.min(...numbers);
}

/** The workload without Pods of other ReplicaSets, which no choice can move. */
function withoutOthers({ pods, constraints, facts }: ConstrainedWorkload): ConstrainedWorkload {
  const bare = constraints.map((constraint) => ({ ...constraint, base: new Map<string, number>() }));
  return { pods, constraints: bare, facts: { ...facts, spread: { constraints: bare, ignored: [] } } };
}

const podsOf = (decided: readonly { readonly pod: Pod }[]) => decided.map(({ pod }) => pod);
const survivorsOf = ({ pods, facts }: ConstrainedWorkload, count: number) =>
  podsOf(chooseVictims(pods, count, facts).survivors);

describe("a scale-down of Pods that only the spread and later rules tell apart", () => {
  test("never makes the skew of the first constraint larger, but for the 1 that is left where Pods cannot be divided", () => {
    fc.assert(
      fc.property(fc.oneof(anySpread("single"), anySpread("nested")), fc.nat(40), (drawn, count) => {
        const alone = withoutOthers(drawn);
        const [first] = alone.constraints;
        if (first === undefined || count >= alone.pods.length) return;
        const before = skewOf(first, alone.pods, alone.pods);
        const after = skewOf(first, alone.pods, survivorsOf(alone, count));
        expect(after).toBeLessThanOrEqual(Math.max(before, 1));
      }),
      runs,
    );
  });

  test("names the domain of each Pod, not that of another one that goes for the same reason", () => {
    fc.assert(
      fc.property(fc.oneof(anySpread("single"), anySpread("nested")), fc.nat(40), (drawn, count) => {
        const { victims, survivors } = chooseVictims(drawn.pods, count, drawn.facts);
        for (const { pod, because } of [...victims, ...survivors]) {
          const { topology } = because ?? {};
          if (topology === undefined) continue;
          const constraint = drawn.constraints.find(({ topologyKey }) => topologyKey === topology.key);
          expect(topology.domain).toBe(constraint?.domains.get(nodeOf(pod)));
        }
      }),
      runs,
    );
  });

  test("brings it to at most 1 once enough Pods go", () => {
    fc.assert(
      fc.property(fc.oneof(anySpread("single"), anySpread("nested")), (drawn) => {
        const alone = withoutOthers(drawn);
        const [first] = alone.constraints;
        if (first === undefined) return;
        const counts = [...countsOf(first, alone.pods).values()].filter((count) => count > 0);
        const enough = counts.reduce((sum, count) => sum + count - Math.min(...counts), 0);
        for (let count = enough; count < alone.pods.length; count++)
          expect(skewOf(first, alone.pods, survivorsOf(alone, count))).toBeLessThanOrEqual(1);
      }),
      runs,
    );
  });

  test("takes from a host only when no other of its zone has more Pods", () => {
    fc.assert(
      fc.property(anySpread("nested"), fc.nat(40), (drawn, count) => {
        const [zones, hosts] = drawn.constraints;
        if (zones === undefined || hosts === undefined) return;
        const left = survivorsOf(drawn, count);
        const [before, after] = [countsOf(hosts, drawn.pods), countsOf(hosts, left)];
        const canLose = new Set(left.map(nodeOf));
        for (const [host, had] of before) {
          if (after.get(host) === had) continue;
          for (const other of canLose) {
            if (zones.domains.get(other) !== zones.domains.get(host)) continue;
            expect((after.get(host) ?? 0) + 1).toBeGreaterThanOrEqual(after.get(other) ?? 0);
          }
        }
      }),
      runs,
    );
  });
});

describe("a scale-down by any constraints, of any Pods", () => {
  test("leaves the same Pods whether they go one at a time or all at once", () => {
    fc.assert(
      fc.property(anySpread("any"), fc.nat(40), (drawn, count) => {
        let left = drawn.pods;
        for (let gone = 0; gone < Math.min(count, drawn.pods.length); gone++)
          left = survivorsOf({ ...drawn, pods: left }, 1);
        expect(namesOf(left)).toEqual(namesOf(survivorsOf(drawn, count)));
      }),
      runs,
    );
  });

  test("takes the Pods that are first when all are ranked", () => {
    fc.assert(
      fc.property(anySpread("any"), fc.nat(40), (drawn, count) => {
        const { victims, survivors } = chooseVictims(drawn.pods, count, drawn.facts);
        const ranked = rankPods(drawn.pods, drawn.facts).pods;
        expect(podsOf(victims)).toEqual(ranked.slice(0, victims.length));
        if (victims.length > 0) expect(survivors[0]?.pod).toEqual(ranked[victims.length]);
      }),
      runs,
    );
  });

  test("always takes the Pod with the fullest domains, by recounting them", () => {
    fc.assert(
      fc.property(anySpread("any"), (drawn) => {
        expect(namesOf(rankPods(drawn.pods, drawn.facts).pods, false)).toEqual(
          namesOf(recounted(drawn), false),
        );
      }),
      runs,
    );
  });
});

test("levels are those of ranking the Pods of every host, and then those of every zone by these", () => {
  fc.assert(
    fc.property(anySpread("nested"), (drawn) => {
      expect(namesOf(rankPods(drawn.pods, drawn.facts).pods, false)).toEqual(
        namesOf(fromTheLast(drawn), false),
      );
    }),
    runs,
  );
});

const namesOf = (pods: readonly Pod[], isSorted = true) => {
  const names = pods.map(({ metadata }) => metadata.name);
  return isSorted ? names.toSorted() : names;
};

type Comparison = (one: Pod, other: Pod) => number;

/** Compares by the rules above or below `spread`. */
function byRules({ facts }: ConstrainedWorkload, which: "above" | "below"): Comparison {
  const at = removalOrder.findIndex(({ name }) => name === "spread");
  const { spread: _, ...others } = facts;
  const part = which === "above" ? removalOrder.slice(0, at) : removalOrder.slice(at + 2);
  const rules = applicable(part, others);
  return (one, other) => {
    for (const rule of rules) {
      const [a, b] = [rule.key(one, facts), rule.key(other, facts)];
      if (a !== b) return a < b === (rule.first === "lower") ? -1 : 1;
    }
    return 0;
  };
}

/** The plain order: after every Pod, everything is counted again. */
function recounted(drawn: ConstrainedWorkload): readonly Pod[] {
  const [above, below] = [byRules(drawn, "above"), byRules(drawn, "below")];
  const left = new Set(drawn.pods);
  const ranked: Pod[] = [];
  while (left.size > 0) {
    const counts = drawn.constraints.map((constraint) => countsOf(constraint, [...left]));
    const levels = (pod: Pod) =>
      drawn.constraints.map(({ domains }, index) => {
        const domain = domains.get(nodeOf(pod));
        return domain === undefined ? Infinity : (counts[index]?.get(domain) ?? 0);
      });
    const [first] = [...left].toSorted(
      (one, other) => above(one, other) || compareLevels(levels(one), levels(other)) || below(one, other),
    );
    if (first === undefined) break;
    ranked.push(first);
    left.delete(first);
  }
  return ranked;
}

/** The order by levels that are computed from the last constraint to the first. */
function fromTheLast(drawn: ConstrainedWorkload): readonly Pod[] {
  const below = byRules(drawn, "below");
  const levels = new Map<Pod, number[]>(drawn.pods.map((pod) => [pod, []]));
  const order: Comparison = (one, other) =>
    compareLevels(levels.get(one) ?? [], levels.get(other) ?? []) || below(one, other);
  for (const { domains, base } of drawn.constraints.toReversed()) {
    const counts = new Map(base);
    const found = drawn.pods
      .toSorted(order)
      .toReversed()
      .map((pod) => {
        const domain = domains.get(nodeOf(pod)) ?? "";
        counts.set(domain, (counts.get(domain) ?? 0) + 1);
        return [pod, counts.get(domain) ?? 0] as const;
      });
    for (const [pod, level] of found) levels.get(pod)?.unshift(level);
  }
  return drawn.pods.toSorted(order);
}

function compareLevels(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((level, index) => level !== other[index]);
  return at < 0 ? 0 : (other[at] ?? 0) - (one[at] ?? 0);
}
