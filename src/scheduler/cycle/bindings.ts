/** The bindings in progress beside the scheduling of the next Pod, limited in number. */
export class Bindings {
  readonly #limit: number;
  #inProgress = 0;
  #waiters: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get inProgress(): number {
    return this.#inProgress;
  }

  /** Starts a binding; its promise must not reject. */
  start(bind: () => Promise<void>): void {
    this.#inProgress++;
    void bind().finally(() => {
      this.#inProgress--;
      for (const wake of this.#waiters.splice(0)) wake();
    });
  }

  /** Resolves when another binding may start. */
  async slotAvailable(): Promise<void> {
    while (this.#inProgress >= this.#limit) await this.#change();
  }

  /** Resolves when no binding is in progress. */
  async idle(): Promise<void> {
    while (this.#inProgress > 0) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
}
