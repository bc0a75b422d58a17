import type { Pod } from "../../api/generated/core-v1.ts";
import { type Arrangement, arrangeInSteps, podAt } from "./arrange.ts";
import type { Facts } from "./facts.ts";
import type { ProtectedPod } from "./protection.ts";
import type { DecidedPod, Reason } from "./reason.ts";
import { removalOrder } from "./rules.ts";
import { finish, podsPerStep, type Steps } from "./steps.ts";

/** The Pods to remove and the Pods that stay; together they are the Pods that were given. */
export interface Choice {
  /** In removal order, each compared with the first survivor; without reasons when no Pod survives. */
  readonly victims: readonly DecidedPod[];
  /** The next to be removed first, the others in no particular order; each compared with the last victim, if any. */
  readonly survivors: readonly DecidedPod[];
  /** Those that may not be removed now, which were not chosen among; absent: none. */
  readonly protected?: readonly ProtectedPod[];
  /** The level of each Pod by each constraint, where the rule `spread` had a say. */
  readonly levels?: (pod: Pod) => readonly number[];
}

/** Chooses `count` Pods to remove, with a reason for every Pod; a count out of range is brought into range. */
export function chooseVictims(pods: readonly Pod[], count: number, facts: Facts): Choice {
  return finish(chooseVictimsInSteps(pods, count, facts));
}

/** Generator variant of `chooseVictims`, for callers that do other work between its steps. */
export function* chooseVictimsInSteps(pods: readonly Pod[], count: number, facts: Facts): Steps<Choice> {
  const removed = wholeCount(count, pods.length);
  // The first survivor's place has to be exact too, since the victims are compared with it.
  const length = removed === 0 ? 0 : removed + 1;
  const arrangement = yield* arrangeInSteps(pods, { rules: removalOrder, facts, length });
  const { order, boundaries } = arrangement;

  const victims: DecidedPod[] = [];
  const victimAt = compareWith(order[removed], pods, arrangement);
  for (let place = removed - 1; place >= 0; place--) {
    victims.push(victimAt(order[place] ?? 0, boundaries[place + 1]));
  }
  const survivors: DecidedPod[] = [];
  const survivorAt = compareWith(order[removed - 1], pods, arrangement);
  for (let place = removed; place < order.length; place++) {
    survivors.push(survivorAt(order[place] ?? 0, boundaries[place]));
    if (place % podsPerStep === 0) yield;
  }
  const { levels } = arrangement;
  return {
    victims: victims.reverse(),
    survivors,
    ...(levels === undefined ? {} : { levels: levelsByPod(pods, levels) }),
  };
}

/** Looks up levels on demand, since a record lists few Pods. */
function levelsByPod(pods: readonly Pod[], levels: readonly Int32Array[]): NonNullable<Choice["levels"]> {
  let indices: ReadonlyMap<Pod, number> | undefined;
  return (pod) => {
    indices ??= new Map(pods.map((each, index) => [each, index]));
    const index = indices.get(pod) ?? 0;
    return levels.map((column) => column[index] ?? 0);
  };
}

/** A whole number of Pods between none and `most`; what is not a number counts as none. */
export function wholeCount(count: number, most: number): number {
  return Math.min(Math.max(Math.floor(count) || 0, 0), most);
}

/**
 * Makes a function that gives Pods their reason, compared with one beyond the cut; it has to be called for one place
 * after the other, away from the cut.
 *
 * Two Pods are separated by the topmost rule of all boundaries between them. So the reason stays the same until a
 * boundary is at least as high as any passed before, and one reason serves whole groups; but for the rule `spread`, whose
 * reason names the domain of the Pod.
 */
function compareWith(other: number | undefined, pods: readonly Pod[], { reason }: Arrangement) {
  let topmost = Infinity;
  let because: Reason | undefined;
  return (index: number, boundary = Infinity): DecidedPod => {
    const pod = podAt(pods, index);
    if (other !== undefined && (boundary <= topmost || because?.topology !== undefined)) {
      topmost = Math.min(topmost, boundary);
      because = reason(topmost, index, other);
    }
    return because === undefined ? { pod } : { pod, because };
  };
}
