import type { Instant } from "../../api/time.ts";
import type { ClusterEvent } from "../../decisions/placement/cluster-event.ts";
import { type BackOff, backOffExpiry, isBackingOff } from "./back-off.ts";
import { EventIndex, type EventIndexOptions } from "./event-index.ts";
import { KeyedHeap } from "./keyed-heap.ts";
import { byPriority, type QueuedPod, uidOf } from "./queued-pod.ts";

/**
 * The sub-queues (upstream: activeQ, backoffQ, unschedulablePods). A Pod of `backoff` is popped early when `active` is
 * empty; after an error (`error-backoff`) it always waits for its back-off to end.
 */
export type SubQueue = "active" | "backoff" | "error-backoff" | "unschedulable" | "gated";

/** The Pods of the scheduling queue, each in one sub-queue. */
export class WaitingPods {
  readonly #active = new KeyedHeap(uidOf, byPriority);
  readonly #backOff: KeyedHeap<QueuedPod>;
  readonly #errorBackOff: KeyedHeap<QueuedPod>;
  readonly #unschedulable = new Map<string, QueuedPod>();
  readonly #gated = new Map<string, QueuedPod>();
  readonly #subQueues = new Map<string, SubQueue>();
  readonly #backOffLimits: BackOff;
  /** Of the unschedulable and the gated Pods. */
  readonly #index: EventIndex;

  constructor(limits: BackOff, options: EventIndexOptions) {
    this.#index = new EventIndex(options);
    this.#backOffLimits = limits;
    const byExpiry = (a: QueuedPod, b: QueuedPod) =>
      backOffExpiry(a, limits) - backOffExpiry(b, limits) || byPriority(a, b);
    this.#backOff = new KeyedHeap(uidOf, byExpiry);
    this.#errorBackOff = new KeyedHeap(uidOf, byExpiry);
  }

  count(subQueue: SubQueue): number {
    return this.#podsOf(subQueue).size;
  }

  subQueueOf(uid: string): SubQueue | undefined {
    return this.#subQueues.get(uid);
  }

  get(uid: string): QueuedPod | undefined {
    const subQueue = this.#subQueues.get(uid);
    return subQueue === undefined ? undefined : this.#podsOf(subQueue).get(uid);
  }

  /** Puts a Pod into a sub-queue and removes it from any other; within the same sub-queue it keeps its position. */
  put(entry: QueuedPod, subQueue: SubQueue): void {
    const uid = uidOf(entry);
    if (this.#subQueues.get(uid) !== subQueue) this.remove(uid);
    this.#subQueues.set(uid, subQueue);
    const pods = this.#podsOf(subQueue);
    if (pods instanceof KeyedHeap) return pods.put(entry);
    const before = pods.get(uid);
    if (before !== undefined) this.#index.remove(before);
    pods.set(uid, entry);
    this.#index.add(entry);
  }

  remove(uid: string): QueuedPod | undefined {
    const entry = this.get(uid);
    const subQueue = this.#subQueues.get(uid);
    if (entry === undefined || subQueue === undefined) return undefined;
    this.#subQueues.delete(uid);
    const pods = this.#podsOf(subQueue);
    if (pods instanceof KeyedHeap) pods.remove(uid);
    else {
      pods.delete(uid);
      this.#index.remove(entry);
    }
    return entry;
  }

  /** Removes and returns the next Pod; one that backs off only when no other is active, and never after an error. */
  takeNext(): QueuedPod | undefined {
    const entry = this.#active.pop() ?? this.#backOff.pop();
    if (entry !== undefined) this.#subQueues.delete(uidOf(entry));
    return entry;
  }

  /** The next instant at which a back-off expires. */
  nextExpiry(): Instant | undefined {
    const first = [this.#backOff.peek(), this.#errorBackOff.peek()].filter((entry) => entry !== undefined);
    return first.length === 0
      ? undefined
      : Math.min(...first.map((entry) => backOffExpiry(entry, this.#backOffLimits)));
  }

  /** Removes and returns the Pods whose back-off has expired, in the order of expiry. */
  takeExpired(now: Instant): readonly QueuedPod[] {
    return [this.#backOff, this.#errorBackOff].flatMap((pods) => {
      const expired: QueuedPod[] = [];
      for (let entry = pods.peek(); entry !== undefined; entry = pods.peek()) {
        if (isBackingOff(entry, this.#backOffLimits, now)) break;
        expired.push(entry);
        this.remove(uidOf(entry));
      }
      return expired;
    });
  }

  /** The Pods that an event may make schedulable, among those that wait for one, gated ones included. */
  helpedBy(event: ClusterEvent): readonly QueuedPod[] {
    return this.#index.helpedBy(event);
  }

  /** The Pods that plugins rejected and that wait for an event. */
  unschedulable(): readonly QueuedPod[] {
    return [...this.#unschedulable.values()];
  }

  /** The rejected Pod that has waited longest; the map keeps the order of rejection. */
  firstUnschedulable(): QueuedPod | undefined {
    return this.#unschedulable.values().next().value;
  }

  #podsOf(subQueue: SubQueue): KeyedHeap<QueuedPod> | Map<string, QueuedPod> {
    switch (subQueue) {
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
