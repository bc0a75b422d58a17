import type { Instant } from "../../api/time.ts";
import { type BackOff, backOffExpiry, isBackingOff } from "./back-off.ts";
import { KeyedHeap } from "./keyed-heap.ts";
import { byPriority, type QueuedPod, uidOf } from "./queued-pod.ts";

/**
 * Where a Pod waits: to be tried, for its time off to pass, for something that may help it, or for its gates to open.
 * After an error time off cannot be cut short, as it can when there is nobody else to try.
 */
export type SubQueue = "active" | "backoff" | "error-backoff" | "unschedulable" | "gated";

/** All Pods that wait, each in one place. */
export class WaitingPods {
  readonly #active = new KeyedHeap(uidOf, byPriority);
  readonly #backOff: KeyedHeap<QueuedPod>;
  readonly #errorBackOff: KeyedHeap<QueuedPod>;
  readonly #unschedulable = new Map<string, QueuedPod>();
  readonly #gated = new Map<string, QueuedPod>();
  readonly #places = new Map<string, SubQueue>();
  readonly #rules: BackOff;

  constructor(rules: BackOff) {
    this.#rules = rules;
    const byExpiry = (a: QueuedPod, b: QueuedPod) =>
      backOffExpiry(a, rules) - backOffExpiry(b, rules) || byPriority(a, b);
    this.#backOff = new KeyedHeap(uidOf, byExpiry);
    this.#errorBackOff = new KeyedHeap(uidOf, byExpiry);
  }

  count(place: SubQueue): number {
    return this.#room(place).size;
  }

  subQueueOf(uid: string): SubQueue | undefined {
    return this.#places.get(uid);
  }

  get(uid: string): QueuedPod | undefined {
    const place = this.#places.get(uid);
    return place === undefined ? undefined : this.#room(place).get(uid);
  }

  /** Puts a Pod somewhere, and takes it from where it was; in the same place it keeps its turn. */
  put(entry: QueuedPod, place: SubQueue): void {
    const uid = uidOf(entry);
    if (this.#places.get(uid) !== place) this.remove(uid);
    this.#places.set(uid, place);
    const room = this.#room(place);
    if (room instanceof KeyedHeap) room.put(entry);
    else room.set(uid, entry);
  }

  remove(uid: string): QueuedPod | undefined {
    const entry = this.get(uid);
    const place = this.#places.get(uid);
    if (entry === undefined || place === undefined) return undefined;
    this.#places.delete(uid);
    const room = this.#room(place);
    if (room instanceof KeyedHeap) room.remove(uid);
    else room.delete(uid);
    return entry;
  }

  /** Takes out the Pod to try next: who has time off only when nobody else is there, and never after an error. */
  takeNext(): QueuedPod | undefined {
    const entry = this.#active.pop() ?? this.#backOff.pop();
    if (entry !== undefined) this.#places.delete(uidOf(entry));
    return entry;
  }

  /** The next expiry of anybody's time off. */
  nextExpiry(): Instant | undefined {
    const first = [this.#backOff.peek(), this.#errorBackOff.peek()].filter((entry) => entry !== undefined);
    return first.length === 0
      ? undefined
      : Math.min(...first.map((entry) => backOffExpiry(entry, this.#rules)));
  }

  /** Takes out those whose time off is over, in the order in which it ended. */
  takeExpired(now: Instant): readonly QueuedPod[] {
    return [this.#backOff, this.#errorBackOff].flatMap((room) => {
      const expired: QueuedPod[] = [];
      for (let entry = room.peek(); entry !== undefined; entry = room.peek()) {
        if (isBackingOff(entry, this.#rules, now)) break;
        expired.push(entry);
        this.remove(uidOf(entry));
      }
      return expired;
    });
  }

  /** Those that wait for an event, those behind gates included. */
  waitingForEvent(): readonly QueuedPod[] {
    return [...this.#unschedulable.values(), ...this.#gated.values()];
  }

  /** Those that were refused and wait for an event. */
  unschedulable(): readonly QueuedPod[] {
    return [...this.#unschedulable.values()];
  }

  /** The one of them that has waited longest: they come in the order in which they were refused. */
  firstUnschedulable(): QueuedPod | undefined {
    return this.#unschedulable.values().next().value;
  }

  #room(place: SubQueue): KeyedHeap<QueuedPod> | Map<string, QueuedPod> {
    switch (place) {
      case "active":
        return this.#active;
      case "backoff":
        return this.#backOff;
      case "error-backoff":
        return this.#errorBackOff;
      case "unschedulable":
        return this.#unschedulable;
      case "gated":
        return this.#gated;
    }
  }
}
