import type { Pod } from "../../api/generated/core-v1.ts";
import { arrange } from "./arrange.ts";
import { type Choice, wholeCount } from "./choose-victims.ts";
import type { Facts } from "./facts.ts";
import { kubernetesRules, upstreamOrder } from "./kubernetes-order.ts";
import { podAt } from "./pod-at.ts";
import type { DecidedPod } from "./reason.ts";
import { tiedGroups } from "./tied-groups.ts";
import { rankByComparison } from "./rank-by-comparison.ts";

/** A choice that may leave Pods open. */
export interface OpenChoice extends Choice {
  /** Some of these go and some stay, and the order does not say which: they tie, or each goes before another. */
  readonly either: readonly Pod[];
}

/** The rules that are keys upstream too: Pods that differ in these never wait for a UID. */
const keyedRules = kubernetesRules.slice(
  0,
  kubernetesRules.findIndex(({ name }) => name === "restarts"),
);

/**
 * Says whom kube-controller-manager 1.36 would remove, as far as its order decides that.
 *
 * The time it takes grows with the square of how many Pods are equal down to the ready time: right for explaining a
 * ReplicaSet of some thousands, not for ranking a hundred thousand.
 */
export function chooseAsKubernetes(pods: readonly Pod[], count: number, facts: Facts): OpenChoice {
  const { now, gates, related } = facts;
  const upstreamFacts = { now, gates, related }; // upstream knows no pickers
  const going = wholeCount(count, pods.length);
  const { compare, reason } = upstreamOrder(pods, upstreamFacts);

  const victims: number[] = [];
  const either: number[] = [];
  const survivors: number[] = [];
  const place = (group: readonly number[]): void => {
    const from = victims.length + either.length + survivors.length;
    let fate = either;
    if (from >= going) fate = survivors;
    else if (from + group.length <= going) fate = victims;
    for (const index of group) fate.push(index);
  };
  const arrangement = arrange(pods, { rules: keyedRules, facts: upstreamFacts, length: going + 1 });
  for (const tied of tiedGroups(arrangement)) {
    // Nobody asks who of the survivors would go first.
    if (victims.length + either.length >= going) place(tied);
    else for (const group of rankByComparison(tied, compare)) place(group);
  }

  const judge = (indices: readonly number[], rival: number | undefined): DecidedPod[] =>
    indices.map((index) => {
      const pod = podAt(pods, index);
      const because = rival === undefined ? undefined : reason(index, rival);
      return because === undefined ? { pod } : { pod, because };
    });
  return {
    victims: judge(victims, either[0] ?? survivors[0]),
    survivors: judge(survivors, either.at(-1) ?? victims.at(-1)),
    either: either.map((index) => podAt(pods, index)),
  };
}
