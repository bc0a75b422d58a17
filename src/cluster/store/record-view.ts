import type { KeyRange, StoreRecord, View } from "./store.ts";

/** Returns a view of a few records, given in key order. */
export function viewOf(records: readonly StoreRecord[]): View {
  const within = ({ namespace, after = "" }: KeyRange = {}) =>
    records.filter(({ key }) => key > after && (namespace === undefined || key.startsWith(`${namespace}/`)));
  return {
    get: (key) => records.find((record) => record.key === key),
    records: within,
    count: (range) => within(range).length,
  };
}

/** Merges two views; where both have a key, the record of the first is returned. */
export function mergedView(first: View, second: View): View {
  const rest = (range?: KeyRange) =>
    [...second.records(range)].filter(({ key }) => first.get(key) === undefined);
  return {
    get: (key) => first.get(key) ?? second.get(key),
    records: (range) => merged(first.records(range), rest(range)),
    count: (range) => first.count(range) + rest(range).length,
  };
}

function* merged(many: Iterable<StoreRecord>, few: readonly StoreRecord[]): Iterable<StoreRecord> {
  let next = 0;
  for (const record of many) {
    for (let other = few[next]; other !== undefined && other.key < record.key; other = few[next]) {
      yield other;
      next++;
    }
    yield record;
  }
  yield* few.slice(next);
}
