import type { Pod } from "../../api/generated/core-v1.ts";
import { arrange } from "./arrange.ts";
import type { Facts } from "./facts.ts";
import type { Reason } from "./reason.ts";
import { removalOrder } from "./rules.ts";

/** All Pods, the first to go first. */
export interface Ranking {
  readonly pods: readonly Pod[];
  /** What puts the Pod at a place before the next one; nothing for the last. */
  readonly why: (place: number) => Reason | undefined;
}

/** Puts all Pods in removal order. */
export function rankPods(pods: readonly Pod[], facts: Facts): Ranking {
  const { rules, order, boundaries, reason } = arrange(pods, {
    rules: removalOrder,
    facts,
    length: pods.length,
  });
  return {
    pods: Array.from(order, (index) => pods[index] as Pod),
    why(place) {
      const pod = order[place];
      const next = order[place + 1];
      const rule = Math.min(boundaries[place + 1] ?? 0, rules.length - 1);
      return pod === undefined || next === undefined ? undefined : reason(rule, pod, next);
    },
  };
}
