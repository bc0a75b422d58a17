interface Reader<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}

type End =
  | { readonly type: "open" }
  | { readonly type: "ended" }
  | { readonly type: "failed"; readonly error: unknown };

/** An async iterable that others push into. What was pushed before the end is still delivered. */
export class PushStream<T> implements AsyncIterableIterator<T> {
  readonly #pushed: T[] = [];
  readonly #readers: Reader<T>[] = [];
  readonly #closed: () => void;
  #end: End = { type: "open" };

  constructor(closed: () => void = () => undefined) {
    this.#closed = closed;
  }

  push(value: T): void {
    if (this.#end.type !== "open") return;
    const reader = this.#readers.shift();
    if (reader === undefined) this.#pushed.push(value);
    else reader.resolve({ done: false, value });
  }

  end(): void {
    this.#close({ type: "ended" });
  }

  fail(error: unknown): void {
    this.#close({ type: "failed", error });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T>> {
    const value = this.#pushed.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    return new Promise((resolve, reject) => {
      const reader: Reader<T> = { resolve, reject };
      if (this.#end.type === "open") this.#readers.push(reader);
      else this.#dismiss(reader);
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.#pushed.length = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  #close(end: End): void {
    if (this.#end.type !== "open") return;
    this.#end = end;
    this.#closed();
    for (const reader of this.#readers.splice(0)) this.#dismiss(reader);
  }

  #dismiss(reader: Reader<T>): void {
    if (this.#end.type === "failed") reader.reject(this.#end.error);
    else reader.resolve({ done: true, value: undefined });
  }
}
