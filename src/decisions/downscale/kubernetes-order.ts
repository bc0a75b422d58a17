import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts } from "./facts.ts";
import { podAt } from "./pod-at.ts";
import { type Reason, reasonOf } from "./reason.ts";
import { applicable, type Key, removalOrder, type Rule, type RuleName } from "./rules.ts";

const shared: ReadonlySet<RuleName> = new Set([
  "unassigned",
  "phase",
  "not-ready",
  "deletion-cost",
  "co-located",
  "ready-time",
  "restarts",
  "creation-time",
]);

/**
 * The removal order of kube-controller-manager 1.36 (profile `kubernetes-1.36`): the rules it has in common with ours.
 * It has no last resort; Pods that these leave tied go in any order.
 */
export const kubernetesRules: readonly Rule[] = removalOrder.filter(({ name }) => shared.has(name));

const instants = removalOrder.filter(({ unit }) => unit === "ms");
const uids = removalOrder.filter(({ name, unit }) => name === "uid" && unit === undefined);

/** What upstream makes of two Pods, known by their index. */
export interface Comparison {
  /** Negative when the first named goes first, positive when the other does, 0 when they tie. */
  readonly outcome: number;
  /** As seen from the first named; nothing when they tie. */
  readonly because?: Reason;
}

/**
 * Compares Pods pair by pair as upstream does (ActivePodsWithRanks).
 *
 * Where two different instants share a bucket, it lets the UIDs decide there and then; where the instants are equal it
 * goes on to the rules below. So A may go before B, B before C, and C before A, and there is no key to sort by.
 */
export function compareAsKubernetes(
  pods: readonly Pod[],
  facts: Facts,
): (one: number, other: number) => Comparison {
  const keyOf = keepKeys(pods, facts);
  const rules = applicable(kubernetesRules, facts);
  const differ = (rule: Rule, one: number, other: number): boolean => keyOf(rule, one) !== keyOf(rule, other);

  function decidingRule(one: number, other: number): Rule | undefined {
    for (const rule of rules) {
      if (differ(rule, one, other)) return rule;
      const instant = rule.unit === "bucket" ? instants.find(({ name }) => name === rule.name) : undefined;
      if (instant !== undefined && differ(instant, one, other)) {
        return uids.find((uid) => differ(uid, one, other));
      }
    }
    return undefined;
  }

  return (one, other) => {
    const rule = decidingRule(one, other);
    if (rule === undefined) return { outcome: 0 };
    const value = keyOf(rule, one);
    const against = { pod: podAt(pods, other), value: keyOf(rule, other) };
    const isFirst = value < against.value === (rule.first === "lower");
    return { outcome: isFirst ? -1 : 1, because: reasonOf(rule, value, against) };
  };
}

function keepKeys(pods: readonly Pod[], facts: Facts): (rule: Rule, index: number) => Key {
  const columns = new Map<Rule, readonly Key[]>();
  return (rule, index) => {
    const column = columns.get(rule) ?? pods.map((pod) => rule.key(pod, facts));
    columns.set(rule, column);
    return column[index] ?? 0;
  };
}
