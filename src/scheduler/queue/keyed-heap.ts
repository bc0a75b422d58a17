/** The first of many by an order, from which any can also be taken out by its key. */
export class KeyedHeap<T> {
  readonly #items: T[] = [];
  readonly #places = new Map<string, number>();
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
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#items[place];
  }

  /** The first, which stays. */
  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item, or puts it in the place of the one with its key. */
  put(item: T): void {
    this.remove(this.#keyOf(item));
    this.#set(this.#items.length, item);
    this.#rise(this.#items.length - 1);
  }

  /** Takes the first out. */
  pop(): T | undefined {
    const first = this.#items[0];
    return first === undefined ? undefined : this.remove(this.#keyOf(first));
  }

  /** Takes out the item with a key, if there is one. */
  remove(key: string): T | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const removed = this.#items[place];
    const last = this.#items.pop();
    this.#places.delete(key);
    if (last !== undefined && last !== removed) {
      this.#set(place, last);
      this.#rise(place);
      this.#sink(this.#places.get(this.#keyOf(last)) ?? place);
    }
    return removed;
  }

  #set(place: number, item: T): void {
    this.#items[place] = item;
    this.#places.set(this.#keyOf(item), place);
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
