import type { Pod } from "../../api/generated/core-v1.ts";
import { arrange, podAt } from "./arrange.ts";
import type { Facts } from "./facts.ts";
import type { Reason } from "./reason.ts";
import { removalOrder } from "./rules.ts";

/** All Pods, the first to be removed first. */
export interface Ranking {
  readonly pods: readonly Pod[];
  /** Why the Pod at a place comes before the next one; nothing for the last. */
  readonly why: (place: number) => Reason | undefined;
}

/** Puts all Pods in removal order; only the first `length` places are exact. */
export function rankPods(pods: readonly Pod[], facts: Facts, length = pods.length): Ranking {
  const { order, boundaries, reason } = arrange(pods, { rules: removalOrder, facts, length });
  return {
    pods: Array.from(order, (index) => podAt(pods, index)),
    why(place) {
      const [pod, next] = order.subarray(place, place + 2);
      const boundary = boundaries[place + 1];
      if (pod === undefined || next === undefined || boundary === undefined) return undefined;
      return reason(boundary, pod, next);
    },
  };
}
