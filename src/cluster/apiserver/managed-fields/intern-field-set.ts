import { type FieldSet, sorted } from "./field-set.ts";

/** Far more than the different sets of a cluster: most objects of a kind are written by the same few managers. */
const mostSets = 2000;

/** Shares equal sets: thousands of Pods have the same fields, and each set is kept once. */
export class FieldSetInterner {
  /** By text, in order and in the orders in which sets came. */
  readonly #known = new Map<string, FieldSet>();
  readonly #interned = new WeakSet<FieldSet>();

  /** The one set that is equal to this one. */
  intern(set: FieldSet): FieldSet {
    if (this.#interned.has(set)) return set;
    const text = JSON.stringify(set);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const candidate = sorted(set);
    const sortedText = JSON.stringify(candidate);
    const shared = this.#known.get(sortedText) ?? candidate;
    // Starting over is enough: sets that are still in use come back with the next write.
    if (this.#known.size >= mostSets) this.#known.clear();
    this.#known.set(text, shared).set(sortedText, shared);
    this.#interned.add(shared);
    return shared;
  }
}
