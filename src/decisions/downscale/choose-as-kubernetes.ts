import type { Pod } from "../../api/generated/core-v1.ts";
import { podAt } from "./arrange.ts";
import { type Choice, wholeCount } from "./choose-victims.ts";
import type { Facts } from "./facts.ts";
import type { DecidedPod } from "./reason.ts";
import { rankAsKubernetes } from "./rank-as-kubernetes.ts";

/** A choice that may leave Pods open. */
export interface OpenChoice extends Choice {
  /** Some of these are removed and some stay, and the order does not say which: they tie, or form a cycle. */
  readonly either: readonly Pod[];
}

/** Chooses the Pods that kube-controller-manager 1.36 would remove, as far as its order decides that. */
export function chooseAsKubernetes(pods: readonly Pod[], count: number, facts: Facts): OpenChoice {
  const removed = wholeCount(count, pods.length);
  const { groups, reason } = rankAsKubernetes(pods, facts, removed);

  const victims: number[] = [];
  const either: number[] = [];
  const survivors: number[] = [];
  const place = (group: readonly number[]): void => {
    const from = victims.length + either.length + survivors.length;
    let side = either;
    if (from >= removed) side = survivors;
    else if (from + group.length <= removed) side = victims;
    for (const index of group) side.push(index);
  };
  for (const group of groups) place(group);

  const decided = (indices: readonly number[], other: number | undefined): DecidedPod[] =>
    indices.map((index) => {
      const pod = podAt(pods, index);
      const because = other === undefined ? undefined : reason(index, other);
      return because === undefined ? { pod } : { pod, because };
    });
  return {
    victims: decided(victims, either[0] ?? survivors[0]),
    survivors: decided(survivors, either.at(-1) ?? victims.at(-1)),
    either: either.map((index) => podAt(pods, index)),
  };
}

/** Chooses one of the outcomes that its order allows, for simulations: of the Pods that it leaves open, the lower UIDs go. */
export function simulateAsKubernetes(pods: readonly Pod[], count: number, facts: Facts): Choice {
  const { victims, either, survivors } = chooseAsKubernetes(pods, count, facts);
  const open = either
    .toSorted((one, other) => (one.metadata.uid < other.metadata.uid ? -1 : 1))
    .map((pod): DecidedPod => ({ pod, isOpen: true }));
  const going = wholeCount(count, pods.length) - victims.length;
  return {
    victims: [...victims, ...open.slice(0, going)],
    survivors: [...open.slice(going), ...survivors],
  };
}
