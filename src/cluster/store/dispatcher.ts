import type { FieldIndex } from "./field-index.ts";
import type { Listener, SubscriptionScope, StoreEvent } from "./store.ts";

interface Subscriber {
  readonly listener: Listener;
  /** The revision at which the subscription began: only later events are delivered. */
  readonly from: number;
  batch: StoreEvent[];
}

/** Delivers the events of one collection to the subscribers whose scope they are in, in a microtask. */
export class Dispatcher {
  readonly #indexes: ReadonlyMap<string, FieldIndex>;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #pending: StoreEvent[] = [];
  /** How many subscribers have a scope narrower than the collection. */
  #narrow = 0;

  constructor(indexes: ReadonlyMap<string, FieldIndex>) {
    this.#indexes = indexes;
  }

  subscribe(scope: SubscriptionScope, from: number, listener: Listener): () => void {
    const topic = topicOf(scope);
    const subscriber: Subscriber = { listener, from, batch: [] };
    const others = this.#subscribers.get(topic);
    if (others === undefined) this.#subscribers.set(topic, new Set([subscriber]));
    else others.add(subscriber);
    if (topic !== everything) this.#narrow++;
    return () => this.#unsubscribe(topic, subscriber);
  }

  /** Returns the revision of the first event that is not delivered yet. */
  oldestPending(): number | undefined {
    return this.#pending[0]?.record.revision;
  }

  publish(event: StoreEvent): void {
    this.#pending.push(event);
    // Not queueMicrotask, which creates an async resource for each call.
    if (this.#pending.length === 1) void settled.then(() => this.#flush());
  }

  #flush(): void {
    const events = this.#pending;
    this.#pending = [];
    const receivers = new Set<Subscriber>();
    for (const event of events) {
      for (const subscriber of this.#receiversOf(event)) {
        subscriber.batch.push(event);
        receivers.add(subscriber);
      }
    }
    for (const subscriber of receivers) {
      const { batch } = subscriber;
      subscriber.batch = [];
      if (batch.length > 0) subscriber.listener(batch);
    }
  }

  #receiversOf(event: StoreEvent): Subscriber[] {
    if (this.#subscribers.size === 0) return [];
    const receivers: Subscriber[] = [];
    for (const topic of this.#topicsOf(event)) {
      for (const subscriber of this.#subscribers.get(topic) ?? []) {
        if (event.record.revision > subscriber.from) receivers.push(subscriber);
      }
    }
    return receivers;
  }

  #topicsOf(event: StoreEvent): ReadonlySet<string> {
    if (this.#narrow === 0) return onlyEverything;
    const { key, object } = event.record;
    const topics = new Set([everything, `key ${key}`]);
    const { namespace } = object.metadata;
    if (namespace !== undefined) topics.add(`namespace ${namespace}`);
    for (const [index, { valuesOf }] of this.#indexes) {
      for (const value of valuesOf(object)) topics.add(`index ${index} ${value}`);
      // A subscriber of the previous value has to see the object leave its scope.
      const previous = event.previous === undefined ? [] : valuesOf(event.previous.object);
      for (const value of previous) topics.add(`index ${index} ${value}`);
    }
    return topics;
  }

  #unsubscribe(topic: string, subscriber: Subscriber): void {
    subscriber.batch.length = 0;
    const others = this.#subscribers.get(topic);
    if (others?.delete(subscriber) === true && topic !== everything) this.#narrow--;
    if (others?.size === 0) this.#subscribers.delete(topic);
  }
}

const everything = "all";
const onlyEverything: ReadonlySet<string> = new Set([everything]);
const settled = Promise.resolve();

function topicOf(scope: SubscriptionScope): string {
  switch (scope.of) {
    case "all":
      return everything;
    case "namespace":
      return `namespace ${scope.namespace}`;
    case "key":
      return `key ${scope.key}`;
    case "index":
      return `index ${scope.index} ${scope.value}`;
  }
}
