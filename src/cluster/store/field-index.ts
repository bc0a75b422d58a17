import type { StoredJson } from "./store.ts";

/** Returns the values under which an object is indexed (client-go: IndexFunc). */
export type IndexValues = (object: StoredJson) => readonly string[];

/** The keys of objects by their values in one index. */
export class FieldIndex {
  readonly valuesOf: IndexValues;
  readonly #keys = new Map<string, Set<string>>();

  constructor(valuesOf: IndexValues) {
    this.valuesOf = valuesOf;
  }

  /** Moves a key from the values of the previous version of its object to those of the next. */
  move(key: string, previous: StoredJson | undefined, next: StoredJson | undefined): void {
    const before = previous === undefined ? [] : this.valuesOf(previous);
    const after = next === undefined ? [] : this.valuesOf(next);
    for (const value of before) if (!after.includes(value)) this.#drop(value, key);
    for (const value of after) if (!before.includes(value)) this.#add(value, key);
  }

  /** Returns the keys of the objects that have the value. */
  keys(value: string): ReadonlySet<string> {
    return this.#keys.get(value) ?? none;
  }

  #add(value: string, key: string): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) this.#keys.set(value, new Set([key]));
    else keys.add(key);
  }

  #drop(value: string, key: string): void {
    const keys = this.#keys.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(value);
  }
}

const none: ReadonlySet<string> = new Set();
