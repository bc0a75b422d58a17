import type { Pod } from "../../api/generated/core-v1.ts";
import { chooseAsKubernetes } from "../downscale/choose-as-kubernetes.ts";
import type { Choice } from "../downscale/choose-victims.ts";
import { deletionCost } from "../../api/deletion-cost.ts";
import type { Facts } from "../downscale/facts.ts";
import { removalOrder } from "../downscale/rules.ts";
import { hasMarkAnnotations } from "./mark.ts";

/** The deletion costs that make the stock controller remove the Pods of a choice. */
export interface MarkPlan {
  /** Which Pods get another cost: none, where the stock order removes the same Pods; the victims a lower, or the survivors a higher one. */
  readonly marked: "none" | "victims" | "survivors";
  /** The cost of all that are marked. */
  readonly cost: number;
  readonly marks: readonly Pod[];
  /** The Pods that carry a mark of an earlier decision and get none now. */
  readonly leftovers: readonly Pod[];
}

/** A choice to be expressed as costs. */
export interface Cut {
  /** The active Pods of the ReplicaSet, as they are. */
  readonly pods: readonly Pod[];
  /** Made on the same Pods without marks (`withOriginalCost`). */
  readonly choice: Choice;
  /** What the stock controller knows: no picker, and no co-location for a ReplicaSet without an owner. */
  readonly stockFacts: Facts;
  /**
   * Whether other ReplicaSets of the same controller have Pods, or may have: in a rollout these come and go, and with
   * them what the stock controller counts on the nodes, so that nothing it does is certain.
   */
  readonly isShared?: boolean;
}

const lowest = -(2 ** 31);
const highest = 2 ** 31 - 1;

/**
 * Plans the marks of a cut. Only the Pods that equal the last victim in every rule down to the cost matter, since all
 * that come before them go and all behind them stay: lowering the cost of its victims by one, or raising that of its
 * survivors, splits this class and no other. That holds while no other mark is left, so the plan has those too.
 */
export function planMarks({ pods, choice, stockFacts, isShared = false }: Cut): MarkPlan {
  const marked = new Map(pods.filter(hasMarkAnnotations).map((pod) => [pod.metadata.uid, pod]));
  const { side, cost, split } = splitOf(choice, stockFacts, isShared);
  const listed = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
  for (const { metadata } of split) marked.delete(metadata.uid);
  return {
    marked: side,
    cost,
    marks: split.map((pod) => listed.get(pod.metadata.uid) ?? pod),
    leftovers: [...marked.values()],
  };
}

interface Split {
  readonly side: MarkPlan["marked"];
  readonly cost: number;
  readonly split: readonly Pod[];
}

const none: Split = { side: "none", cost: 0, split: [] };

function splitOf(choice: Choice, stockFacts: Facts, isShared: boolean): Split {
  const last = choice.victims.at(-1)?.pod;
  if (last === undefined) return none;
  const across = splitAcrossCosts(choice, last, stockFacts);
  if (across !== undefined) return across;
  const isInClass = sameClass(last, stockFacts);
  const victims = podsOf(choice.victims).filter(isInClass);
  const survivors = podsOf(choice.survivors).filter(isInClass);
  if (survivors.length === 0) return none;
  if (!isShared && stockOrderAgrees({ victims, survivors }, stockFacts)) return none;
  const cost = deletionCost(last);
  const canLower = cost > lowest;
  const lowers = canLower && (victims.length <= survivors.length || cost === highest);
  return lowers
    ? { side: "victims", cost: cost - 1, split: victims }
    : { side: "survivors", cost: cost + 1, split: survivors };
}

/** The rules of the stock order down to the cost: what a mark cannot change. */
const rulesToCost = removalOrder.slice(0, removalOrder.findIndex(({ name }) => name === "deletion-cost") + 1);

function sameClass(one: Pod, facts: Facts, rules = rulesToCost): (pod: Pod) => boolean {
  const keys = rules.map(({ key }) => key(one, facts));
  return (pod) => rules.every(({ key }, index) => key(pod, facts) === keys[index]);
}

/**
 * The split of a cut that does not follow the costs, since a program wrote some of them: of the Pods that only costs could
 * tell apart, every survivor that costs no more than some victim is raised above all victims, or every victim that costs
 * no less than some survivor is lowered below all survivors. `undefined`: no victim costs more than a survivor.
 */
function splitAcrossCosts(choice: Choice, last: Pod, stockFacts: Facts): Split | undefined {
  const isInClass = sameClass(last, stockFacts, rulesToCost.slice(0, -1));
  const victims = podsOf(choice.victims).filter(isInClass);
  const survivors = podsOf(choice.survivors).filter(isInClass);
  const dearest = victims.reduce((most, pod) => Math.max(most, deletionCost(pod)), lowest);
  const cheapest = survivors.reduce((least, pod) => Math.min(least, deletionCost(pod)), highest);
  const isCutAtLast = dearest === cheapest && deletionCost(last) === dearest;
  if (survivors.length === 0 || dearest < cheapest || isCutAtLast) return undefined;
  const lowered = victims.filter((pod) => deletionCost(pod) >= cheapest);
  const raised = survivors.filter((pod) => deletionCost(pod) <= dearest);
  const lowers = cheapest > lowest && (dearest === highest || lowered.length <= raised.length);
  return lowers
    ? { side: "victims", cost: cheapest - 1, split: lowered }
    : { side: "survivors", cost: Math.min(dearest + 1, highest), split: raised };
}

/** The stock controller may act later than now, and ages move from bucket to bucket meanwhile. */
const laterMs = [0, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000];

/** Limits the Pods of a class that are compared with the stock order, since the API server waits; a larger class is marked. */
const mostCompared = 400;

/** Whether the stock order removes the same Pods of a class for certain: whatever its ties, and also a minute later. */
function stockOrderAgrees({ victims, survivors }: Class, facts: Facts): boolean {
  const pods = [...victims, ...survivors];
  if (pods.length > mostCompared) return false;
  const wanted = new Set(victims);
  return laterMs.every((ms) => {
    const stock = chooseAsKubernetes(pods, victims.length, { ...facts, now: facts.now + ms });
    return stock.either.length === 0 && stock.victims.every(({ pod }) => wanted.has(pod));
  });
}

/** The Pods that differ only in rules below the cost. */
interface Class {
  readonly victims: readonly Pod[];
  readonly survivors: readonly Pod[];
}

const podsOf = (decided: Choice["victims"]): readonly Pod[] => decided.map(({ pod }) => pod);
