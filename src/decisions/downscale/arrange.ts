import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts } from "./facts.ts";
import { type Reason, reasonOf } from "./reason.ts";
import { applicable, type Key, type Rule } from "./rules.ts";

import { sortByKey, type Stretch } from "./sort-by-key.ts";

/** Pods put in order by rules. Pods are known by their index in the list given, places count from the first to go. */
export interface Arrangement {
  /** The rules that had a say. */
  readonly rules: readonly Rule[];
  /** The Pod at each place: exact up to the length asked for, beyond it in no particular order. */
  readonly order: Uint32Array;
  /** Which rule, by its index, separates a place from the one before; `rules.length` where none does. */
  readonly boundaries: Uint8Array;
  /** Why a Pod is not where its rival is, by the rule of this index, to which both must have come still tied. */
  readonly reason: (rule: number, pod: number, rival: number) => Reason;
}

interface ArrangeOptions {
  readonly rules: readonly Rule[];
  readonly facts: Facts;
  /** How many places have to be exact. */
  readonly length: number;
}

/**
 * Puts Pods in the order of the rules.
 *
 * Rule by rule, the Pods that are still tied are sorted and split where their keys differ. So a key is computed once
 * per Pod and only while it can matter: a Pod settled by its phase never has its timestamps read, and a group beyond
 * the places asked for is left as it is.
 */
export function arrange(pods: readonly Pod[], { rules, facts, length }: ArrangeOptions): Arrangement {
  const heard = applicable(rules, facts);
  const columns: Key[][] = [];
  const order = new Uint32Array(pods.length).map((_, index) => index);
  const boundaries = new Uint8Array(pods.length).fill(heard.length);

  const isOpen = ({ from, to }: Stretch): boolean => to - from > 1 && from < length;
  let open: readonly Stretch[] = [{ from: 0, to: pods.length }].filter(isOpen);
  for (const [depth, rule] of heard.entries()) {
    if (open.length === 0) break;
    const keys = keysOfTied(open, order, (index) => sortableKey(rule, pods[index] as Pod, facts));
    open = open.flatMap((stretch) => {
      sortByKey(order, keys, stretch);
      const groups = splitByKey(order, keys, stretch);
      for (const { from } of groups) if (from > stretch.from) boundaries[from] = depth;
      return groups.filter(isOpen);
    });
    columns.push(keys);
  }

  return {
    rules: heard,
    order,
    boundaries,
    reason(depth, pod, rival) {
      const rule = heard[depth] as Rule;
      const keyOf = (index: number): Key => shownKey(rule, columns[depth]?.[index]);
      return reasonOf(rule, keyOf(pod), { pod: pods[rival] as Pod, value: keyOf(rival) });
    },
  };
}

/** The keys of all Pods in these stretches; the others' are not asked for. */
function keysOfTied(stretches: readonly Stretch[], order: Uint32Array, keyOf: (index: number) => Key): Key[] {
  const isTied = new Uint8Array(order.length);
  for (const { from, to } of stretches) {
    for (let place = from; place < to; place++) isTied[order[place] as number] = 1;
  }
  // By rising index, as the Pods lie in memory: hopping about costs more than the keys themselves.
  const keys: Key[] = [];
  for (let index = 0; index < order.length; index++) keys.push(isTied[index] === 1 ? keyOf(index) : 0);
  return keys;
}

/** The parts of a sorted stretch within which all keys are equal. */
function splitByKey(order: Uint32Array, keys: readonly Key[], stretch: Stretch): readonly Stretch[] {
  const groups: Stretch[] = [];
  let from = stretch.from;
  for (let place = from + 1; place < stretch.to; place++) {
    if (keys[order[place] as number] === keys[order[from] as number]) continue;
    groups.push({ from, to: place });
    from = place;
  }
  return [...groups, { from, to: stretch.to }];
}

/** Keys are kept so that the lower goes first. Not `-key`: a `-0` among small integers would slow everything down. */
function sortableKey(rule: Rule, pod: Pod, facts: Facts): Key {
  return rule.first === "higher" ? 0 - rule.key(pod, facts) : rule.key(pod, facts);
}

function shownKey(rule: Rule, key: Key = 0): Key {
  return rule.first === "higher" && typeof key === "number" ? 0 - key : key;
}
