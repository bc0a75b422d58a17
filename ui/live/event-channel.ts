/** The lines of one watch on their way from the connection to their reader. */
export class EventChannel {
  readonly #lines: string[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => undefined;

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** How many lines have not been read. */
  get waiting(): number {
    return this.#lines.length;
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#wake();
  }

  /** Ends the channel once its lines are read; with an error it is thrown then. */
  end(reason: { readonly error?: unknown } = {}): void {
    this.#end ??= reason;
    this.#wake();
  }

  /** The lines until the channel ends. */
  async *read(): AsyncGenerator<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) yield line;
      else if (this.#end === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else if ("error" in this.#end) throw this.#end.error;
      else return;
    }
  }
}
