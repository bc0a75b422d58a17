/** First in, first out, in amortised constant time, unlike an array's `shift`. */
export class Fifo<T> {
  #entries: T[] = [];
  #head = 0;

  get length(): number {
    return this.#entries.length - this.#head;
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  take(): T | undefined {
    const entry = this.#entries[this.#head];
    if (this.#head < this.#entries.length) this.#head++;
    // Copying once half of the entries are taken costs each entry one move in all.
    if (this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }

  clear(): void {
    this.#entries = [];
    this.#head = 0;
  }
}
