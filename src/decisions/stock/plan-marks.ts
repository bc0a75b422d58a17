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
 * Plans the marks of a cut. Only the Pods that equal the last victim in every rule above the cost matter, since all that
 * come before them go and all behind them stay. Where the victims are the first by cost, these are the Pods of its cost:
 * lowering that of its victims by one, or raising that of its survivors, splits this class and no other. Protected Pods
 * may cost less than a victim: then every survivor is raised above the dearest victim, or every victim lowered below
 * the cheapest survivor. That holds while no other mark is left, so the plan has those too.
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
  const isBeside = sameClass(last, stockFacts);
  const stay = [...podsOf(choice.survivors), ...podsOf(choice.protected ?? [])].filter(isBeside);
  const go = podsOf(choice.victims).filter(isBeside);
  const [dearest, cheapest] = [dearestOf(go), cheapestOf(stay)];
  const victims = go.filter((pod) => deletionCost(pod) >= cheapest);
  const survivors = stay.filter((pod) => deletionCost(pod) <= dearest);
  if (survivors.length === 0) return none;
  if (!isShared && stockOrderAgrees({ victims, survivors }, stockFacts)) return none;
  const canLower = cheapest > lowest;
  const lowers = canLower && (victims.length <= survivors.length || dearest === highest);
  return lowers
    ? { side: "victims", cost: cheapest - 1, split: victims }
    : { side: "survivors", cost: Math.min(dearest + 1, highest), split: survivors };
}

const dearestOf = (pods: readonly Pod[]): number =>
  pods.reduce((most, pod) => Math.max(most, deletionCost(pod)), lowest);
const cheapestOf = (pods: readonly Pod[]): number =>
  pods.reduce((least, pod) => Math.min(least, deletionCost(pod)), highest);

/** The rules of the stock order above the cost: what a mark cannot change. */
const rulesAboveCost = removalOrder.slice(
  0,
  removalOrder.findIndex(({ name }) => name === "deletion-cost"),
);

function sameClass(one: Pod, facts: Facts): (pod: Pod) => boolean {
  const keys = rulesAboveCost.map(({ key }) => key(one, facts));
  return (pod) => rulesAboveCost.every(({ key }, index) => key(pod, facts) === keys[index]);
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

/** The Pods that the stock order does not tell apart above their costs, and whose costs overlap. */
interface Class {
  readonly victims: readonly Pod[];
  readonly survivors: readonly Pod[];
}

const podsOf = (decided: readonly { readonly pod: Pod }[]): readonly Pod[] => decided.map(({ pod }) => pod);
