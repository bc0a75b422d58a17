import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts } from "./facts.ts";
import { type Reason, reasonOf } from "./reason.ts";
import { applicable, type Key, type Rule } from "./rules.ts";
import { sortByKey, type Stretch } from "./sort-by-key.ts";
import { finish, podsPerStep, type Steps } from "./steps.ts";

/** Pods in the order of rules. A Pod is its index in the list given; places count from the first to be removed. */
export interface Arrangement {
  /** The rules that apply. */
  readonly rules: readonly Rule[];
  /** The Pod at each place: exact up to the length asked for, beyond it in no particular order. */
  readonly order: Uint32Array;
  /** Which rule, by its index, separates a place from the one before; `rules.length` where none does. */
  readonly boundaries: Uint8Array;
  /** Why a Pod is not where another is, by the boundary between them; by the last rule, if there is none. */
  readonly reason: (boundary: number, pod: number, other: number) => Reason | undefined;
}

interface ArrangeOptions {
  readonly rules: readonly Rule[];
  readonly facts: Facts;
  /** So many places have to be exact. */
  readonly length: number;
}

/**
 * Puts Pods in the order of the rules.
 *
 * Rule by rule, the Pods that are still tied are sorted and split where their keys differ. So a key is computed once
 * per Pod and only while it can matter: a Pod settled by its phase never has its timestamps read, and a group beyond
 * the places asked for is left as it is.
 */
export function arrange(pods: readonly Pod[], options: ArrangeOptions): Arrangement {
  return finish(arrangeInSteps(pods, options));
}

/** The same with pauses. */
export function* arrangeInSteps(
  pods: readonly Pod[],
  { rules, facts, length }: ArrangeOptions,
): Steps<Arrangement> {
  const applied = applicable(rules, facts);
  const columns: { readonly rule: Rule; readonly keys: readonly Key[] }[] = [];
  const order = new Uint32Array(pods.length).map((_, index) => index);
  const boundaries = new Uint8Array(pods.length).fill(applied.length);

  const isOpen = ({ from, to }: Stretch): boolean => to - from > 1 && from < length;
  let open: readonly Stretch[] = [{ from: 0, to: pods.length }].filter(isOpen);
  for (const [depth, rule] of applied.entries()) {
    if (open.length === 0) break;
    const keys = yield* keysOfTied(open, order, (index) => sortableKey(rule, podAt(pods, index), facts));
    open = open.flatMap((stretch) => {
      sortByKey(order, keys, { ...stretch, length });
      const groups = splitByKey(order, keys, stretch);
      for (const { from } of groups) if (from > stretch.from) boundaries[from] = depth;
      return groups.filter(isOpen);
    });
    yield;
    columns.push({ rule, keys });
  }

  return {
    rules: applied,
    order,
    boundaries,
    reason(boundary, pod, other) {
      const column = columns[boundary] ?? columns.at(-1);
      if (column === undefined) return undefined;
      const { rule, keys } = column;
      const value = shownKey(rule, keys[other]);
      return reasonOf(rule, shownKey(rule, keys[pod]), { pod: podAt(pods, other), value });
    },
  };
}

/** The keys of the Pods in these stretches; the others have none. */
function* keysOfTied(
  stretches: readonly Stretch[],
  order: Uint32Array,
  keyOf: (index: number) => Key,
): Steps<Key[]> {
  const isTied = new Uint8Array(order.length);
  for (const { from, to } of stretches) {
    for (let place = from; place < to; place++) isTied[order[place] ?? 0] = 1;
  }
  const keys = Array<Key>(order.length);
  // By rising index, as the Pods lie in memory: random access costs more than the keys themselves.
  for (let index = 0; index < isTied.length; index++) {
    if (isTied[index] === 1) keys[index] = keyOf(index);
    if (index % podsPerStep === podsPerStep - 1) yield;
  }
  return keys;
}

/** Splits a sorted stretch where keys differ. */
function splitByKey(order: Uint32Array, keys: readonly Key[], stretch: Stretch): readonly Stretch[] {
  const groups: Stretch[] = [];
  let from = stretch.from;
  for (let place = from + 1; place < stretch.to; place++) {
    if (keys[order[place] ?? 0] === keys[order[from] ?? 0]) continue;
    groups.push({ from, to: place });
    from = place;
  }
  groups.push({ from, to: stretch.to });
  return groups;
}

/** Keys are kept so that the lower goes first. Not `-key`: a `-0` among small integers would slow everything down. */
function sortableKey(rule: Rule, pod: Pod, facts: Facts): Key {
  return rule.first === "higher" ? 0 - rule.key(pod, facts) : rule.key(pod, facts);
}

function shownKey(rule: Rule, key: Key = 0): Key {
  return rule.first === "higher" && typeof key === "number" ? 0 - key : key;
}

/** The groups of Pods that no rule of an arrangement tells apart, by index; the first to be removed first. */
export function tiedGroups({ rules, order, boundaries }: Arrangement): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let group: number[] = [];
  for (const [place, index] of order.entries()) {
    if (place === 0 || (boundaries[place] ?? 0) < rules.length) {
      group = [];
      groups.push(group);
    }
    group.push(index);
  }
  return groups;
}

/** The Pod at an index that was handed out for this very list, so that it exists. */
export function podAt(pods: readonly Pod[], index: number): Pod {
  return pods[index] as Pod;
}
