import type { Clock } from "../../machinery/clock/clock.ts";
import { EncodingCache } from "./encoding-cache.ts";
import { FieldIndex } from "./field-index.ts";
import { HistoryBudget } from "./history-budget.ts";
import { defaultHistoryLimits, type HistoryLimits } from "./history.ts";
import { MemoryCollection, type RevisionCounter } from "./memory-collection.ts";
import type {
  Collection,
  CollectionIndexes,
  Location,
  Store,
  StoredJson,
  StoreEvent,
  StoreIndexes,
} from "./store.ts";

/** Not 0: resource version 0 means "any" in a request, so no object may have it. */
export const firstRevision = 1;

/** The dependencies and settings of a store. */
export interface MemoryStoreOptions {
  readonly clock: Clock;
  readonly history?: HistoryLimits;
  /** How many bytes of superseded and deleted objects are kept for clients that resume a watch or read an older list. */
  readonly maxHistoryBytes?: number | undefined;
  /** Applied to every object before it is stored; tests freeze objects with it, so that a write to a shared one throws. */
  readonly transformObject?: (object: StoredJson) => StoredJson;
  /** Called with every commit to any collection, in order, before the subscribers. */
  readonly onCommit?: (collection: string, event: StoreEvent) => void;
  /** Where revisions come from; absent: they begin with 1. */
  readonly revisions?: RevisionCounter | undefined;
  /** Persists a commit; resolves when it survives a crash. Absent: nothing is persisted. */
  readonly persist?: ((collection: string, event: StoreEvent) => Promise<void>) | undefined;
}

/** A store in memory: its contents are lost when the process ends. */
export class MemoryStore implements Store {
  readonly #options: MemoryStoreOptions;
  readonly #collections = new Map<string, MemoryCollection>();
  readonly #indexes = new Map<string, CollectionIndexes>();
  readonly #owners = new FieldIndex(ownersOf);
  readonly #counter: RevisionCounter;
  readonly #budget: HistoryBudget;
  readonly #encodings = new EncodingCache();

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#budget = new HistoryBudget(options.maxHistoryBytes);
    this.#counter = options.revisions ?? countFrom(firstRevision);
  }

  revision(): number {
    return this.#counter.current();
  }

  collection(name: string): Collection {
    return this.#collection(name);
  }

  #collection(name: string): MemoryCollection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const { persist } = this.#options;
    const collection = new MemoryCollection({
      name,
      clock: this.#options.clock,
      counter: this.#counter,
      limits: this.#options.history ?? defaultHistoryLimits,
      budget: this.#budget,
      encodings: this.#encodings,
      transformObject: this.#options.transformObject ?? ((object) => object),
      onCommit: (event) => this.#track(name, event),
      persist: persist === undefined ? undefined : (event) => persist(name, event),
    });
    allSteps(collection.addIndexesInSteps(this.#indexes.get(name) ?? {}));
    this.#collections.set(name, collection);
    return collection;
  }

  /** Restores an object that was stored before, with its revision: no commit, no event. */
  restore({ collection, key }: Location, object: StoredJson): void {
    this.#collection(collection).restore(key, object);
    this.#owners.move(`${collection} ${key}`, undefined, object);
  }

  addIndexes(indexes: StoreIndexes): void {
    allSteps(this.addIndexesInSteps(indexes));
  }

  *addIndexesInSteps(indexes: StoreIndexes): Generator<void, void, void> {
    for (const [name, added] of Object.entries(indexes)) {
      // Remembered for collections that do not exist yet: a collection is created when it is first read or written.
      this.#indexes.set(name, { ...added, ...this.#indexes.get(name) });
      const collection = this.#collections.get(name);
      if (collection !== undefined) yield* collection.addIndexesInSteps(added);
    }
  }

  collections(): readonly Collection[] {
    return [...this.#collections.values()];
  }

  compact(): void {
    for (const collection of this.#collections.values()) collection.compact();
  }

  writeFailure(): undefined {}

  flushed(): undefined {}

  async close(): Promise<void> {
    for (const collection of this.#collections.values()) collection.dropViews();
  }

  ownedBy(uid: string): readonly Location[] {
    return [...this.#owners.keys(uid)].sort().map((entry) => {
      const [collection = "", key = ""] = entry.split(" ", 2);
      return { collection, key };
    });
  }

  #track(collection: string, event: StoreEvent): void {
    this.#options.onCommit?.(collection, event);
    const next = event.type === "DELETED" ? undefined : event.record.object;
    this.#owners.move(`${collection} ${event.record.key}`, event.previous?.object, next);
  }
}

function allSteps(steps: Generator<void, void, void>): void {
  while (steps.next().done !== true);
}

function countFrom(first: number): RevisionCounter {
  let revision = first;
  return { current: () => revision, next: () => ++revision };
}

function ownersOf(object: StoredJson): readonly string[] {
  const references = object.metadata.ownerReferences;
  return references === undefined || references.length === 0 ? none : references.map(({ uid }) => uid);
}

const none: readonly string[] = [];
