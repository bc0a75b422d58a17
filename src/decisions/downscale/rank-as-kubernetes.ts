import type { Pod } from "../../api/generated/core-v1.ts";
import { arrange, podAt, tiedGroups } from "./arrange.ts";
import type { Facts } from "./facts.ts";
import { keyedRules, upstreamOrder } from "./kubernetes-order.ts";
import type { Reason } from "./reason.ts";
import { addTiedPoints } from "./tied-points.ts";

/** Pods in the order of kube-controller-manager 1.36, as far as that decides. Pods are given by their index. */
export interface UpstreamRanking {
  /** The first to be removed first; the order leaves open which Pod of a group goes first. */
  readonly groups: readonly (readonly number[])[];
  /** How many Pods are in final groups; the groups beyond them were not split any further. */
  readonly exact: number;
  /** The rule that separates a Pod from another; nothing when they tie. */
  readonly reason: (pod: number, other: number) => Reason | undefined;
}

/**
 * Ranks Pods as kube-controller-manager 1.36 does. The first `length` places are exact; beyond them, Pods that are equal
 * down to the ready time are left in one group.
 */
export function rankAsKubernetes(pods: readonly Pod[], facts: Facts, length: number): UpstreamRanking {
  const { now, gates, related } = facts;
  const upstreamFacts = { now, gates, related }; // upstream knows no pickers
  const { tied: comparison, reason } = upstreamOrder(pods, upstreamFacts);
  // One more, since the last one is compared with the next.
  const arrangement = arrange(pods, { rules: keyedRules, facts: upstreamFacts, length: length + 1 });
  const groups: (readonly number[])[] = [];
  const points = new Float64Array(pods.length);
  let exact = 0;
  for (const tied of tiedGroups(arrangement)) {
    if (exact >= length) {
      groups.push(tied);
      continue;
    }
    addTiedPoints(points, tied, comparison);
    for (const group of rankByPoints(tied, (pod) => points[pod] ?? 0)) groups.push(group);
    exact += tied.length;
  }
  return { groups, exact, reason };
}

/** All Pods in removal order, with what separates neighbours. */
export interface OpenRanking {
  readonly pods: readonly Pod[];
  /** Which group a place belongs to; the order of a group is open. */
  readonly groupAt: (place: number) => number;
  /** How many places are known; the Pods beyond them stay, in no particular order. */
  readonly exact: number;
  readonly why: (place: number) => Reason | undefined;
}

/** Flattens the ranking into a list; the Pods of a group are in an arbitrary order. */
export function listAsKubernetes(pods: readonly Pod[], facts: Facts, length: number): OpenRanking {
  const { groups, exact, reason } = rankAsKubernetes(pods, facts, length);
  const order = groups.flat();
  const groupOf = groups.flatMap((group, index) => group.map(() => index));
  return {
    pods: order.map((index) => podAt(pods, index)),
    groupAt: (place) => groupOf[place] ?? -1,
    exact,
    why(place) {
      const [pod, next] = order.slice(place, place + 2);
      if (pod === undefined || next === undefined || groupOf[place] === groupOf[place + 1]) return undefined;
      return reason(pod, next);
    },
  };
}

/**
 * Splits items into the finest groups such that every item of a group comes before every item of all later groups.
 *
 * Comparisons need not be transitive: items that form a cycle, or tie, are in one group. An item has two points for
 * every item it comes before and one for every tie. The best k come before all others exactly when their points are
 * those of all comparisons among themselves and of coming before all others; no k items can have more.
 */
export function rankByPoints(
  items: readonly number[],
  pointsOf: (item: number) => number,
): readonly (readonly number[])[] {
  const ranked = items
    .map((item) => ({ item, points: pointsOf(item) }))
    .sort((one, other) => other.points - one.points);
  const groups: number[][] = [];
  let group: number[] = [];
  let sum = 0;
  for (const [place, entry] of ranked.entries()) {
    group.push(entry.item);
    sum += entry.points;
    const best = place + 1;
    if (sum < best * (best - 1) + 2 * best * (ranked.length - best)) continue;
    groups.push(group);
    group = [];
  }
  return groups;
}
