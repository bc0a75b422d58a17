import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts } from "./facts.ts";
import { type Reason, reasonOf } from "./reason.ts";
import { applicable, type Key, type Rule } from "./rules.ts";
import {
  compareKeys,
  isKnown,
  isSameKey,
  type KeyColumn,
  keyIn,
  newKeyColumn,
  setKey,
} from "./key-column.ts";
import { sortByKey, type Stretch } from "./sort-by-key.ts";
import type { LaterRules } from "./fullest-domain.ts";
import { spreadLevelsInSteps } from "./spread-levels.ts";
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
  /** By constraint and by index of the Pod; absent where the rule `spread` does not apply or nothing was left to it. */
  readonly levels?: readonly Int32Array[];
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
export function arrange(pods: readonly Pod[], options: ArrangeOptions): Arrangement {
  return finish(arrangeInSteps(pods, options));
}

/** Generator variant of `arrange`, for callers that do other work between its steps. */
export function* arrangeInSteps(
  pods: readonly Pod[],
  { rules, facts, length }: ArrangeOptions,
): Steps<Arrangement> {
  const applied = applicable(rules, facts);
  const keyOf = (depth: number, index: number): Key =>
    sortableKey(ruleAt(applied, depth), podAt(pods, index), facts);
  /** The keys of a rule; those of a constraint are levels. */
  const keyAt = (depth: number, levels: readonly Int32Array[] | undefined) => {
    const level = levels?.[applied[depth]?.topology?.constraint ?? -1];
    return (index: number): Key => (level === undefined ? keyOf(depth, index) : 0 - (level[index] ?? 0));
  };
  const columns: KeyColumn[] = [];
  const order = Uint32Array.from(pods.keys());
  const boundaries = new Uint8Array(pods.length).fill(applied.length);
  let levels: readonly Int32Array[] | undefined;
  let compared = 0;

  let open: readonly Stretch[] = openStretches({ from: 0, to: pods.length }, length);
  for (const [depth, { topology }] of applied.entries()) {
    if (open.length === 0) break;
    if (topology !== undefined && levels === undefined) {
      const later = laterRules(applied, { pods: pods.length, columns, keyOf });
      const tied = { pods, order, stretches: open, length, later };
      levels = yield* spreadLevelsInSteps(tied, facts.spread?.constraints ?? []);
    }
    const keys = (columns[depth] ??= newKeyColumn(pods.length));
    yield* fillKeysOfTied(open, order, { keys, keyOf: keyAt(depth, levels) });
    const split: Stretch[] = [];
    for (const stretch of open) {
      sortByKey(order, keys, { ...stretch, length });
      splitByKey({ order, keys }, stretch, (from, to) => {
        if (from > stretch.from) boundaries[from] = depth;
        if (isOpen(from, to, length)) split.push({ from, to });
      });
    }
    open = split;
    yield;
    compared = depth + 1;
  }

  return {
    rules: applied,
    order,
    boundaries,
    ...(levels === undefined ? {} : { levels }),
    reason(boundary, pod, other) {
      const depth = boundary < compared ? boundary : compared - 1;
      const keys = columns[depth];
      if (keys === undefined) return undefined;
      const rule = ruleAt(applied, depth);
      const side = (index: number) => ({
        pod: podAt(pods, index),
        value: shownKey(rule, keyIn(keys, index)),
      });
      return reasonOf(rule, [side(pod), side(other)], facts);
    },
  };
}

function ruleAt(rules: readonly Rule[], depth: number): Rule {
  return rules[depth] as Rule;
}

interface KeyMemo {
  readonly pods: number;
  /** The keys of each rule that are known. */
  readonly columns: KeyColumn[];
  readonly keyOf: (depth: number, index: number) => Key;
}

/** The rules below `spread`; the keys that they compute are kept for the arrangement. */
function laterRules(rules: readonly Rule[], { pods, columns, keyOf }: KeyMemo): LaterRules {
  const first = rules.findLastIndex(({ topology }) => topology !== undefined) + 1;
  const knownAt = (depth: number, index: number): KeyColumn => {
    const keys = (columns[depth] ??= newKeyColumn(pods));
    if (!isKnown(keys, index)) setKey(keys, index, keyOf(depth, index));
    return keys;
  };
  return {
    compare(one, other) {
      for (let depth = first; depth < rules.length; depth++) {
        knownAt(depth, one);
        const difference = compareKeys(knownAt(depth, other), one, other);
        if (difference !== 0) return difference;
      }
      return one - other;
    },
    sort(members, length) {
      let open: readonly Stretch[] = openStretches({ from: 0, to: members.length }, length);
      for (let depth = first; depth < rules.length && open.length > 0; depth++) {
        const split: Stretch[] = [];
        for (const stretch of open) {
          let keys: KeyColumn | undefined;
          for (let place = stretch.from; place < stretch.to; place++)
            keys = knownAt(depth, members[place] ?? 0);
          if (keys === undefined) continue;
          sortByKey(members, keys, { ...stretch, length });
          splitByKey({ order: members, keys }, stretch, (from, to) => {
            if (isOpen(from, to, length)) split.push({ from, to });
          });
        }
        open = split;
      }
    },
  };
}

/** Whether there is anything left to decide about a stretch. */
function isOpen(from: number, to: number, length: number): boolean {
  return to - from > 1 && from < length;
}

function openStretches(stretch: Stretch, length: number): readonly Stretch[] {
  return isOpen(stretch.from, stretch.to, length) ? [stretch] : [];
}

/** Computes the keys of the Pods in these stretches; the others have none. */
function* fillKeysOfTied(
  stretches: readonly Stretch[],
  order: Uint32Array,
  { keys, keyOf }: { readonly keys: KeyColumn; readonly keyOf: (index: number) => Key },
): Steps<void> {
  const isTied = new Uint8Array(order.length);
  for (const { from, to } of stretches) {
    for (let place = from; place < to; place++) isTied[order[place] ?? 0] = 1;
  }
  // By rising index, as the Pods lie in memory: random access costs more than the keys themselves.
  for (let index = 0; index < isTied.length; index++) {
    if (isTied[index] === 1 && !isKnown(keys, index)) setKey(keys, index, keyOf(index));
    if (index % podsPerStep === podsPerStep - 1) yield;
  }
}

/** Calls back for each group of equal keys in a sorted stretch; an object for each would cost more than sorting. */
function splitByKey(
  { order, keys }: { readonly order: Uint32Array; readonly keys: KeyColumn },
  stretch: Stretch,
  group: (from: number, to: number) => void,
): void {
  let from = stretch.from;
  for (let place = from + 1; place < stretch.to; place++) {
    if (isSameKey(keys, order[place] ?? 0, order[from] ?? 0)) continue;
    group(from, place);
    from = place;
  }
  group(from, stretch.to);
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
