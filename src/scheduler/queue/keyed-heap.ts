/** A heap whose items can also be found and removed by key. */
export class KeyedHeap<T> {
  readonly #items: T[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #keyOf: (item: T) => string;
  readonly #compare: (a: T, b: T) => number;

  constructor(keyOf: (item: T) => string, compare: (a: T, b: T) => number) {
    this.#keyOf = keyOf;
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  get(key: string): T | undefined {
    const index = this.#indexes.get(key);
    return index === undefined ? undefined : this.#items[index];
  }

  /** Returns the first item without removing it. */
  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item, or replaces the one with its key. */
  put(item: T): void {
    this.remove(this.#keyOf(item));
    this.#set(this.#items.length, item);
    this.#rise(this.#items.length - 1);
  }

  /** Removes and returns the first item. */
  pop(): T | undefined {
    const first = this.#items[0];
    return first === undefined ? undefined : this.remove(this.#keyOf(first));
  }

  /** Removes and returns the item with a key, if there is one. */
  remove(key: string): T | undefined {
    const index = this.#indexes.get(key);
    if (index === undefined) return undefined;
    const removed = this.#items[index];
    const last = this.#items.pop();
    this.#indexes.delete(key);
    if (last !== undefined && last !== removed) {
      this.#set(index, last);
      this.#rise(index);
      this.#sink(this.#indexes.get(this.#keyOf(last)) ?? index);
    }
    return removed;
  }

  #set(index: number, item: T): void {
    this.#items[index] = item;
    this.#indexes.set(this.#keyOf(item), index);
  }

  #rise(from: number): void {
    for (let child = from; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfBefore(child, parent)) return;
      child = parent;
    }
  }

  #sink(from: number): void {
    for (let parent = from; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const child = this.#isBefore(right, left) ? right : left;
      if (!this.#swapIfBefore(child, parent)) return;
      parent = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#items[a], this.#items[b]];
    return first !== undefined && second !== undefined && this.#compare(first, second) < 0;
  }

  #swapIfBefore(child: number, parent: number): boolean {
    const [lower, upper] = [this.#items[child], this.#items[parent]];
    if (lower === undefined || upper === undefined || this.#compare(lower, upper) >= 0) return false;
    this.#set(child, upper);
    this.#set(parent, lower);
    return true;
  }
}
