import type { Instant } from "../../api/time.ts";
import type { Timer } from "./clock.ts";

interface Entry {
  readonly at: Instant;
  /** Order of insertion: timers of the same instant run in that order. */
  readonly sequence: number;
  task: (() => void) | undefined;
}

/** Keeps up to this many cancelled timers, whatever their share. */
const keptCancelled = 1000;

/**
 * Timers by instant, then by order of insertion. Cancelled ones are skipped when they are due, and removed together when
 * they are the larger part: most deadlines are cancelled long before they are due.
 */
export class TimerHeap {
  #entries: Entry[] = [];
  #sequence = 0;
  #cancelled = 0;

  add(at: Instant, task: () => void): Timer {
    const entry: Entry = { at, sequence: this.#sequence++, task };
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
    return {
      cancel: () => {
        if (entry.task === undefined) return;
        entry.task = undefined;
        this.#cancelled++;
        this.#compactIfWorthwhile();
      },
    };
  }

  /** How many timers are kept, cancelled ones among them. */
  get size(): number {
    return this.#entries.length;
  }

  /** The instant of the next timer that has not been cancelled. */
  nextAt(): Instant | undefined {
    while (this.#entries[0] !== undefined && this.#entries[0].task === undefined) {
      this.#removeTop();
      this.#cancelled--;
    }
    return this.#entries[0]?.at;
  }

  /** Removes the next timer and returns its task. */
  takeNext(): (() => void) | undefined {
    if (this.nextAt() === undefined) return undefined;
    const entry = this.#entries[0];
    const task = entry?.task;
    this.#removeTop();
    if (entry !== undefined) entry.task = undefined; // cancelling it from now on has no effect
    return task;
  }

  #compactIfWorthwhile(): void {
    if (this.#cancelled <= keptCancelled || this.#cancelled * 2 <= this.#entries.length) return;
    const kept = this.#entries.filter(({ task }) => task !== undefined);
    // A sorted array is a heap.
    this.#entries = kept.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
    this.#cancelled = 0;
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
