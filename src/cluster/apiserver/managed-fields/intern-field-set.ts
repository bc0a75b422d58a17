import { type FieldSet, sorted } from "./field-set.ts";

/** Far more than the different sets of a cluster: most objects of a kind are written by the same few managers. */
const mostSets = 2000;

/** Shares equal sets: thousands of Pods have the same fields, and each set is kept once. */
export class FieldSetInterner {
  readonly #known = new Map<string, FieldSet>();
  readonly #interned = new WeakSet<FieldSet>();

  /** The one set that is equal to this one. */
  intern(set: FieldSet): FieldSet {
    if (this.#interned.has(set)) return set;
    const candidate = sorted(set);
    const text = JSON.stringify(candidate);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    // Starting over is enough: sets that are still in use come back with the next write.
    if (this.#known.size >= mostSets) this.#known.clear();
    this.#known.set(text, candidate);
    this.#interned.add(candidate);
    return candidate;
  }
}
