import { flatText } from "../../api/compact.ts";

/**
 * A map that forgets what has not been used for long: it keeps between `size` and twice as many entries. Two maps that
 * take turns cost less than an order of use that every look-up changes.
 */
export class RecentlyUsed<V> {
  readonly #size: number;
  #young = new Map<string, V>();
  #old: ReadonlyMap<string, V> = new Map();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const aged = this.#old.get(key);
    if (aged !== undefined) this.set(key, aged);
    return aged;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(flatText(key), value);
  }
}
