import { type FieldSet, sorted } from "./field-set.ts";

/** Far more than the different sets of a cluster: most objects of a kind are written by the same few managers. */
const mostSets = 2000;
/**
 * Several times the text of a large Pod's set. Longer ones are those of single objects, such as a ConfigMap with thousands
 * of keys, and would stay in memory when these are deleted.
 */
export const longestKept = 10_000;

/** By text, in order and in the orders in which sets came. */
const known = new Map<string, FieldSet>();
const interned = new WeakSet<FieldSet>();

type SetOperation = (left: FieldSet, right: FieldSet) => FieldSet;

/**
 * An operation that is computed once for each pair of interned sets, and has an interned result: controllers make the
 * same few writes to thousands of objects.
 */
export function ofInterned(operation: SetOperation): SetOperation {
  const results = new WeakMap<FieldSet, WeakMap<FieldSet, FieldSet>>();
  return (left, right) => {
    if (!interned.has(left) || !interned.has(right)) return operation(left, right);
    const found = results.get(left)?.get(right);
    if (found !== undefined) return found;
    const result = internFieldSet(operation(left, right));
    const ofLeft = results.get(left) ?? new WeakMap<FieldSet, FieldSet>();
    results.set(left, ofLeft.set(right, result));
    return result;
  };
}

/**
 * The one set that is equal to this one, in order: thousands of Pods have the same fields, and each set is kept once.
 * Equal sets are equal in all clusters of a process. A very large set is returned in order and not kept.
 */
export function internFieldSet(set: FieldSet): FieldSet {
  if (interned.has(set)) return set;
  const text = JSON.stringify(set);
  const found = known.get(text);
  if (found !== undefined) return found;
  const candidate = sorted(set);
  if (text.length > longestKept) return candidate;
  const sortedText = JSON.stringify(candidate);
  const shared = known.get(sortedText) ?? candidate;
  // Starting over is enough: sets that are still in use come back with the next write.
  if (known.size >= mostSets) known.clear();
  known.set(text, shared).set(sortedText, shared);
  interned.add(shared);
  return shared;
}
