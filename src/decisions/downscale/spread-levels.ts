import type { Pod } from "../../api/generated/core-v1.ts";
import { countDomainsInSteps, type DomainCounts, levelOf, takeAway } from "./domain-counts.ts";
import { type LaterRules, startRace } from "./fullest-domain.ts";
import type { Stretch } from "./sort-by-key.ts";
import type { SpreadDomains } from "./facts.ts";
import { podsPerStep, type Steps } from "./steps.ts";

/** Pods in the order of the rules above `spread`, and what is asked about them. */
export interface TiedPods {
  readonly pods: readonly Pod[];
  /** The Pod at each place. */
  readonly order: Uint32Array;
  /** The places whose Pods those rules leave tied, in order. */
  readonly stretches: readonly Stretch[];
  /** How many places have to be exact. */
  readonly length: number;
  readonly later: LaterRules;
}

/**
 * The levels of Pods, by constraint and by index of the Pod: how many Pods of its domain are still there when its turn
 * comes. Higher levels go first, constraint by constraint, and the later rules only separate Pods of one level.
 *
 * The Pods are counted once. Then the next to go is always in the fullest domain of the first constraint, among several
 * such domains in the fullest of the second, and so on; where all are equal the later rules say which. So the levels fall
 * from one Pod to the next, and sorting by them repeats the sequence. Where small domains lie inside large ones, as hosts
 * in zones, these are the levels that come of ranking the Pods of every host first, then of every zone by these.
 *
 * Pods beyond the length asked for get the counts that are left, which is the most their level can be.
 */
export function* spreadLevelsInSteps(
  { pods, order, stretches, length, later }: TiedPods,
  constraints: readonly SpreadDomains[],
): Steps<readonly Int32Array[]> {
  const counts = yield* countDomainsInSteps(pods, constraints);
  const levels = constraints.map(() => new Int32Array(pods.length));
  const isGone = new Uint8Array(pods.length);
  const note = (pod: number): void => {
    for (const [constraint, each] of counts.entries()) {
      const column = levels[constraint];
      if (column !== undefined) column[pod] = levelOf(each, pod);
    }
  };
  const goAway = (pod: number): void => {
    note(pod);
    for (const each of counts) takeAway(each, pod);
    isGone[pod] = 1;
  };
  let place = 0;
  for (const { from, to } of stretches) {
    for (; place < from; place++) goAway(order[place] ?? 0);
    const tied = order.slice(from, to);
    const end = Math.min(to, length);
    const next = startRace(tied, telling(counts, tied), { later, wanted: end - from });
    for (; place < end; place++) {
      goAway(next());
      if (place % podsPerStep === 0) yield;
    }
  }
  for (let pod = 0; pod < isGone.length; pod++) if (isGone[pod] === 0) note(pod);
  return levels;
}

/** The constraints that can tell some of these Pods apart: the others would only make the tree larger. */
function telling(counts: readonly DomainCounts[], pods: Uint32Array): readonly DomainCounts[] {
  return counts.filter((each) => {
    const { domains, counted } = each;
    const first = domains[pods[0] ?? 0];
    if (pods.every((pod) => domains[pod] === first)) return false;
    // Each in a domain of its own.
    return !pods.every((pod) => counted[pod] === 1 && levelOf(each, pod) === 1);
  });
}
