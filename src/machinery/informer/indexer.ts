import type { StoredObject } from "../../api/object.ts";

/** Returns the values an object is indexed under; none when the index does not apply to it. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Objects by key and by any number of indexes, kept by reference. */
export class Indexer<T extends StoredObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, ObjectIndex<T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`no index is called ${JSON.stringify(name)}`);
    return index.find(value);
  }

  /** Adds an index over present and future objects; an index of that name stays as it is. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    const index = new ObjectIndex(valuesOf);
    for (const [key, object] of this.#objects) index.move(key, undefined, object);
    this.#indexes.set(name, index);
  }

  put(key: string, object: T): void {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) index.move(key, old, object);
  }

  remove(key: string): void {
    const old = this.#objects.get(key);
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) index.move(key, old, undefined);
  }
}

class ObjectIndex<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #found = new Map<string, Map<string, T>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  find(value: string): T[] {
    const objects = this.#found.get(value);
    return objects === undefined ? [] : [...objects.values()];
  }

  move(key: string, old: T | undefined, object: T | undefined): void {
    const values = object === undefined ? [] : this.#valuesOf(object);
    for (const value of old === undefined ? [] : this.#valuesOf(old))
      if (!values.includes(value)) this.#drop(value, key);
    if (object !== undefined) for (const value of values) this.#enter(value, key, object);
  }

  #enter(value: string, key: string, object: T): void {
    const objects = this.#found.get(value);
    if (objects === undefined) this.#found.set(value, new Map([[key, object]]));
    else objects.set(key, object);
  }

  // Removes a value without objects; otherwise values of deleted owners would accumulate.
  #drop(value: string, key: string): void {
    const objects = this.#found.get(value);
    objects?.delete(key);
    if (objects?.size === 0) this.#found.delete(value);
  }
}
