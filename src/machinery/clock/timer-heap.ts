import type { Instant } from "../../api/time.ts";
import type { Timer } from "./clock.ts";

interface Entry {
  readonly at: Instant;
  /** Order of insertion: timers of the same instant run in that order. */
  readonly sequence: number;
  task: (() => void) | undefined;
}

/** Timers by instant, then by order of insertion. Cancelled ones are skipped when they are due. */
export class TimerHeap {
  readonly #entries: Entry[] = [];
  #sequence = 0;

  add(at: Instant, task: () => void): Timer {
    const entry: Entry = { at, sequence: this.#sequence++, task };
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
    return {
      cancel: () => {
        entry.task = undefined;
      },
    };
  }

  /** The instant of the next timer that has not been cancelled. */
  nextAt(): Instant | undefined {
    while (this.#entries[0] !== undefined && this.#entries[0].task === undefined) this.#removeTop();
    return this.#entries[0]?.at;
  }

  /** Removes the next timer and returns its task. */
  takeNext(): (() => void) | undefined {
    if (this.nextAt() === undefined) return undefined;
    const task = this.#entries[0]?.task;
    this.#removeTop();
    return task;
  }

  #removeTop(): void {
    const last = this.#entries.pop();
    if (last === undefined || this.#entries.length === 0) return;
    this.#entries[0] = last;
    this.#sink(0);
  }

  #rise(index: number): void {
    let child = index;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  #sink(index: number): void {
    let parent = index;
    for (;;) {
      const left = 2 * parent + 1;
      const right = left + 1;
      let first = parent;
      if (this.#isBefore(left, first)) first = left;
      if (this.#isBefore(right, first)) first = right;
      if (first === parent) return;
      this.#swap(parent, first);
      parent = first;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const left = this.#entries[a];
    const right = this.#entries[b];
    if (left === undefined || right === undefined) return false;
    return left.at < right.at || (left.at === right.at && left.sequence < right.sequence);
  }

  #swap(a: number, b: number): void {
    const left = this.#entries[a];
    const right = this.#entries[b];
    if (left === undefined || right === undefined) return;
    this.#entries[a] = right;
    this.#entries[b] = left;
  }
}
