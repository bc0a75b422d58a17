import type { Pod } from "../../api/generated/core-v1.ts";
import { podAt } from "./arrange.ts";
import type { Facts } from "./facts.ts";
import { type Reason, reasonOf } from "./reason.ts";
import { applicable, type Key, removalOrder, type Rule, type RuleName } from "./rules.ts";
import type { TiedComparison, TiedStep } from "./tied-points.ts";

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
 * It does not end in the UID: Pods that these rules leave tied are removed in any order.
 */
export const kubernetesRules: readonly Rule[] = removalOrder.filter(({ name }) => shared.has(name));

/** The rules that are keys upstream too: between Pods that differ in these no UID decides. */
export const keyedRules: readonly Rule[] = kubernetesRules.slice(
  0,
  kubernetesRules.findIndex(({ name }) => name === "restarts"),
);

const instantRules = removalOrder.filter(({ unit }) => unit === "ms");
const uidRules = removalOrder.filter(({ name, unit }) => name === "uid" && unit === undefined);

/** Compares Pods, given by their index, as upstream does. */
export interface UpstreamOrder {
  /** Negative when the one goes first, positive when the other does, 0 when they tie. */
  readonly compare: (one: number, other: number) => number;
  /** How it compares Pods that are equal in all `keyedRules`. */
  readonly tied: TiedComparison;
  /** The rule that separates a Pod from the other, as seen from the former; nothing when they tie. */
  readonly reason: (pod: number, other: number) => Reason | undefined;
}

/** The key of every Pod by one rule. */
interface Column {
  readonly rule: Rule;
  readonly keys: readonly Key[];
  /** For a rule that compares buckets, the instants in them. */
  readonly instants?: readonly Key[];
}

/**
 * Compares Pods pair by pair as upstream does (ActivePodsWithRanks).
 *
 * Where two different instants share a bucket, it lets the UIDs decide there and then; where the instants are equal it
 * goes on to the rules below. So A may go before B, B before C, and C before A, and there is no key to sort by.
 */
export function upstreamOrder(pods: readonly Pod[], facts: Facts): UpstreamOrder {
  const keysOf = (rule: Rule): readonly Key[] => pods.map((pod) => rule.key(pod, facts));
  const columns = applicable(kubernetesRules, facts).map((rule): Column => {
    const behind = rule.unit === "bucket" ? instantRules.find(({ name }) => name === rule.name) : undefined;
    return { rule, keys: keysOf(rule), ...(behind === undefined ? {} : { instants: keysOf(behind) }) };
  });
  const uids = uidRules.map((rule): Column => ({ rule, keys: keysOf(rule) }));

  const deciding = (one: number, other: number): Column | undefined => {
    for (const column of columns) {
      const { keys, instants } = column;
      if (keys[one] !== keys[other]) return column;
      if (instants !== undefined && instants[one] !== instants[other]) {
        return uids.find((uid) => uid.keys[one] !== uid.keys[other]);
      }
    }
    return undefined;
  };
  return {
    tied: tiedComparison(columns, uids[0]?.keys ?? []),
    compare(one, other) {
      const { rule, keys } = deciding(one, other) ?? {};
      if (rule === undefined || keys === undefined) return 0;
      return (keys[one] ?? 0) < (keys[other] ?? 0) === (rule.first === "lower") ? -1 : 1;
    },
    reason(pod, other) {
      const { rule, keys } = deciding(pod, other) ?? {};
      if (rule === undefined || keys === undefined) return undefined;
      const side = (index: number) => ({ pod: podAt(pods, index), value: keys[index] ?? 0 });
      return reasonOf(rule, [side(pod), side(other)]);
    },
  };
}

/** What Pods that are equal in all keyed rules are compared by: what is left of the last of these, and the rules below. */
function tiedComparison(columns: readonly Column[], uids: readonly Key[]): TiedComparison {
  const isKeyed = ({ rule }: Column) => keyedRules.includes(rule);
  const steps = columns
    .slice(columns.findLastIndex(isKeyed))
    .flatMap((column): readonly TiedStep[] => [
      ...(isKeyed(column) ? [] : [{ numbers: numbersOf(column.keys, column.rule), isByUid: false }]),
      ...(column.instants === undefined
        ? []
        : [{ numbers: numbersOf(column.instants, column.rule), isByUid: true }]),
    ]);
  return { steps, ranks: ranksOf(uids) };
}

function numbersOf(keys: readonly Key[], { first }: Rule): Float64Array {
  return Float64Array.from(keys, (key) => (first === "lower" ? Number(key) : 0 - Number(key)));
}

/** The place of each text among all of them, in their order; the same for the same text. */
function ranksOf(texts: readonly Key[]): Int32Array {
  const places = new Map(
    [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1)).map((text, place) => [text, place]),
  );
  return Int32Array.from(texts, (text) => places.get(text) ?? 0);
}
