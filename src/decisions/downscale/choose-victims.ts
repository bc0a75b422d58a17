import type { Pod } from "../../api/generated/core-v1.ts";
import { arrange, type Arrangement } from "./arrange.ts";
import type { Facts } from "./facts.ts";
import { podAt } from "./pod-at.ts";
import type { DecidedPod, Reason } from "./reason.ts";
import { removalOrder } from "./rules.ts";

/** Who goes and who stays; together they are the Pods that were given. */
export interface Choice {
  /** In removal order, each against the first survivor; without reasons when nobody survives. */
  readonly victims: readonly DecidedPod[];
  /** The next in line first, the others in no particular order; each against the last victim, if there is one. */
  readonly survivors: readonly DecidedPod[];
}

/** Chooses `count` Pods to remove and says of every Pod why; an absurd count is brought into range first. */
export function chooseVictims(pods: readonly Pod[], count: number, facts: Facts): Choice {
  const going = wholeCount(count, pods.length);
  // The first survivor's place matters too, since the victims are held against it.
  const length = going === 0 ? 0 : going + 1;
  const arrangement = arrange(pods, { rules: removalOrder, facts, length });
  const { order, boundaries } = arrangement;

  const victims: DecidedPod[] = [];
  const judgeVictim = judgeAgainst(order[going], pods, arrangement);
  for (let place = going - 1; place >= 0; place--) {
    victims.push(judgeVictim(order[place] ?? 0, boundaries[place + 1]));
  }
  const survivors: DecidedPod[] = [];
  const judgeSurvivor = judgeAgainst(order[going - 1], pods, arrangement);
  for (let place = going; place < order.length; place++) {
    survivors.push(judgeSurvivor(order[place] ?? 0, boundaries[place]));
  }
  return { victims: victims.reverse(), survivors };
}

/** A whole number of Pods between none and `most`; what is not a number counts as none. */
export function wholeCount(count: number, most: number): number {
  return Math.min(Math.max(Math.floor(count) || 0, 0), most);
}

/**
 * Judges Pods against a rival beyond the cut; to be called for one place after the other, away from the cut.
 *
 * Two Pods are separated by the topmost rule of all boundaries between them. So the reason stays the same until a
 * boundary is at least as high as any passed before, and one reason serves whole groups.
 */
function judgeAgainst(rival: number | undefined, pods: readonly Pod[], { reason }: Arrangement) {
  let topmost = Infinity;
  let because: Reason | undefined;
  return (index: number, boundary = Infinity): DecidedPod => {
    const pod = podAt(pods, index);
    if (rival !== undefined && boundary <= topmost) {
      topmost = boundary;
      because = reason(boundary, index, rival);
    }
    return because === undefined ? { pod } : { pod, because };
  };
}
