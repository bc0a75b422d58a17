import sortedBTree from "sorted-btree";
import type { KeyRange, StoreRecord, View } from "./store.ts";

type Tree = typeof sortedBTree.default;

// A CommonJS package with an export called `default`: loaders import either that or an object that has it.
const found = sortedBTree as unknown as Tree | { readonly default: Tree };
const BTree = "default" in found ? found.default : found;

/** Records in key order. A copy shares its nodes with the original until either is written to. */
export class RecordTree implements View {
  readonly #tree: InstanceType<typeof BTree<string, StoreRecord>>;

  constructor(tree = new BTree<string, StoreRecord>(undefined, byCodeUnit)) {
    this.#tree = tree;
  }

  get(key: string): StoreRecord | undefined {
    return this.#tree.get(key);
  }

  set(record: StoreRecord): void {
    this.#tree.set(record.key, record);
  }

  delete(key: string): void {
    this.#tree.delete(key);
  }

  records(range: KeyRange = {}): Iterable<StoreRecord> {
    return this.#tree.size === 0 ? [] : this.#recordsIn(range);
  }

  *#recordsIn(range: KeyRange): Iterable<StoreRecord> {
    const { low, high } = boundsOf(range);
    for (const record of this.#tree.values(low)) {
      if (high !== undefined && record.key >= high) return;
      if (record.key !== range.after) yield record;
    }
  }

  count(range: KeyRange = {}): number {
    const { low, high } = boundsOf(range);
    const last = high ?? this.#tree.maxKey();
    if (last === undefined) return 0;
    const found = this.#tree.forRange(low ?? "", last, high === undefined);
    return range.after !== undefined && this.#tree.has(range.after) ? found - 1 : found;
  }

  copy(): RecordTree {
    return new RecordTree(this.#tree.clone());
  }
}

/** Returns the bounds of a range. Keys are `namespace/name`, and `0` is the character after `/`. */
function boundsOf(range: KeyRange): { readonly low: string | undefined; readonly high: string | undefined } {
  if (range.namespace === undefined) return { low: range.after, high: undefined };
  return { low: range.after ?? `${range.namespace}/`, high: `${range.namespace}0` };
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
