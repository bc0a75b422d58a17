/** Work that goes on beside the scheduling of the next Pod, and not too much of it at a time. */
export class Bindings {
  readonly #most: number;
  #underWay = 0;
  #waiters: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get inProgress(): number {
    return this.#underWay;
  }

  /** Starts something that never fails. */
  start(work: () => Promise<void>): void {
    this.#underWay++;
    void work().finally(() => {
      this.#underWay--;
      for (const wake of this.#waiters.splice(0)) wake();
    });
  }

  /** Resolves when there is room for more. */
  async slotAvailable(): Promise<void> {
    while (this.#underWay >= this.#most) await this.#change();
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay > 0) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
}
