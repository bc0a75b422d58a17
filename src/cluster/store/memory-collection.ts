import type { JsonObject } from "../../api/json.ts";
import type { Clock, Timer } from "../../machinery/clock/clock.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { EncodingCache } from "./encoding-cache.ts";
import { FieldIndex } from "./field-index.ts";
import type { HistoryBudget } from "./history-budget.ts";
import { History, type HistoryLimits } from "./history.ts";
import { RecordTree } from "./record-tree.ts";
import { EncodingRecord, withResourceVersion } from "./record.ts";
import type {
  Collection,
  CollectionIndexes,
  Commit,
  KeyRange,
  Listener,
  SubscriptionScope,
  StoredJson,
  StoreEvent,
  StoreRecord,
  View,
} from "./store.ts";

/** How long the view of a paged list stays readable. */
const viewLifetimeMs = 300_000;

/** Limits the views, which keep superseded objects alive; most pages are read from history anyway. */
const maxViews = 8;

const settled = Promise.resolve();

/** The revision counter that the collections of one store share. */
export interface RevisionCounter {
  current(): number;
  next(): number;
}

/** The dependencies that a store gives its collections. */
export interface MemoryCollectionOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly counter: RevisionCounter;
  readonly limits: HistoryLimits;
  readonly budget: HistoryBudget;
  readonly encodings: EncodingCache;
  readonly transformObject: (object: StoredJson) => StoredJson;
  /** Called with every commit, before the subscribers. */
  readonly onCommit: (event: StoreEvent) => void;
  /** Resolves when a commit survives a crash; absent: no commit does, and none waits. */
  readonly persist: ((event: StoreEvent) => Promise<void>) | undefined;
}

/** A collection in memory. */
export class MemoryCollection implements Collection {
  readonly name: string;
  readonly #options: MemoryCollectionOptions;
  readonly #tree = new RecordTree();
  /** The records by key: most reads are of one record, and the tree would compare a dozen keys. */
  readonly #byKey = new Map<string, StoreRecord>();
  readonly #history: History;
  readonly #indexes = new Map<string, FieldIndex>();
  readonly #dispatcher = new Dispatcher(this.#indexes);
  readonly #views = new Map<number, { readonly view: View; readonly expiry: Timer }>();
  /** The revision of the last commit to this collection. */
  #changedAt: number;

  constructor(options: MemoryCollectionOptions) {
    this.name = options.name;
    this.#options = options;
    this.#changedAt = options.counter.current();
    this.#history = new History(options.counter.current(), options.limits, options.budget);
  }

  get(key: string): StoreRecord | undefined {
    return this.#byKey.get(key);
  }

  records(range?: KeyRange): Iterable<StoreRecord> {
    return this.#tree.records(range);
  }

  count(range?: KeyRange): number {
    return this.#tree.count(range);
  }

  oldestRevision(): number {
    return this.#history.floor;
  }

  deliveredRevision(): number {
    return (this.#dispatcher.oldestPending() ?? this.#options.counter.current() + 1) - 1;
  }

  put(key: string, object: JsonObject, size?: number): Commit {
    const previous = this.#byKey.get(key);
    const record = this.#newRecord(key, object, size);
    this.#set(record);
    return this.#committed(
      previous === undefined ? { type: "ADDED", record } : { type: "MODIFIED", record, previous },
    );
  }

  remove(key: string): Commit | undefined {
    const previous = this.#byKey.get(key);
    if (previous === undefined) return undefined;
    const record = this.#newRecord(key, previous.object, previous.size);
    this.#tree.delete(key);
    this.#byKey.delete(key);
    return this.#committed({ type: "DELETED", record, previous });
  }

  /** Restores an object that was stored before, with its revision. */
  restore(key: string, content: StoredJson): void {
    const { transformObject, encodings } = this.#options;
    const object = transformObject(content);
    const revision = Number(object.metadata.resourceVersion);
    this.#set(new EncodingRecord({ key, revision, object }, encodings));
    for (const index of this.#indexes.values()) index.move(key, undefined, object);
  }

  snapshot(): View {
    return this.#tree.copy();
  }

  at(revision: number): View | undefined {
    if (revision > this.#options.counter.current()) return undefined;
    // Commits to other collections do not change the state of this one.
    const asOf = Math.min(revision, this.#changedAt);
    const kept = this.#views.get(asOf);
    if (kept !== undefined) return kept.view;
    const view = this.#viewAt(asOf);
    if (view !== undefined) this.#keep(asOf, view);
    return view;
  }

  since(revision: number): readonly StoreEvent[] | undefined {
    return revision >= this.#changedAt ? [] : this.#history.since(revision);
  }

  /**
   * Builds indexes over the stored objects, with pauses, and keeps them up to date; an index with a known name is left
   * alone. A commit during a pause moves its key in them like any other, whether the key has been read yet or not.
   */
  *addIndexesInSteps(indexes: CollectionIndexes): Generator<void, void, void> {
    const added: FieldIndex[] = [];
    for (const [name, valuesOf] of Object.entries(indexes)) {
      if (this.#indexes.has(name)) continue;
      const index = new FieldIndex(valuesOf);
      this.#indexes.set(name, index);
      added.push(index);
    }
    if (added.length === 0) return;
    for (const { key } of this.snapshot().records()) {
      const object = this.#byKey.get(key)?.object;
      if (object !== undefined) for (const index of added) index.move(key, undefined, object);
      yield;
    }
  }

  byIndex(index: string, value: string): readonly StoreRecord[] {
    const keys = [...(this.#indexes.get(index)?.keys(value) ?? [])].sort();
    return keys.flatMap((key) => this.#byKey.get(key) ?? []);
  }

  subscribe(scope: SubscriptionScope, listener: Listener): () => void {
    return this.#dispatcher.subscribe(scope, this.#options.counter.current(), listener);
  }

  /** Drops history and kept views. */
  compact(): void {
    this.#history.clear(this.#changedAt);
    this.dropViews();
  }

  /** Drops the views that are kept for paged lists. */
  dropViews(): void {
    for (const { expiry } of this.#views.values()) expiry.cancel();
    this.#views.clear();
  }

  #set(record: StoreRecord): void {
    this.#tree.set(record);
    this.#byKey.set(record.key, record);
  }

  #newRecord(key: string, content: JsonObject, size: number | undefined): EncodingRecord {
    const { counter, transformObject, encodings } = this.#options;
    const revision = counter.next();
    const object = transformObject(withResourceVersion(content, revision));
    return new EncodingRecord({ key, revision, object, size }, encodings);
  }

  #committed(event: StoreEvent): Commit {
    const { record, previous } = event;
    this.#changedAt = record.revision;
    if (previous instanceof EncodingRecord) previous.release();
    const next = event.type === "DELETED" ? undefined : record.object;
    for (const index of this.#indexes.values()) index.move(record.key, previous?.object, next);
    this.#history.append(event, this.#options.clock.now());
    this.#options.onCommit(event);
    this.#dispatcher.publish(event);
    return { record, durable: this.#options.persist?.(event) ?? settled };
  }

  #keep(revision: number, view: View): void {
    const expiry = this.#options.clock.after(viewLifetimeMs, () => this.#views.delete(revision));
    this.#views.set(revision, { view, expiry });
    for (const [oldest, { expiry: timer }] of this.#views) {
      if (this.#views.size <= maxViews) return;
      timer.cancel();
      this.#views.delete(oldest);
    }
  }

  /** Rebuilds the state at a revision by undoing the later events, newest first. */
  #viewAt(revision: number): View | undefined {
    const later = this.since(revision);
    if (later === undefined) return undefined;
    const copy = this.#tree.copy();
    for (const { record, previous } of later.toReversed()) {
      if (previous === undefined) copy.delete(record.key);
      else copy.set(previous);
    }
    return copy;
  }
}
