import type { JsonObject } from "../../api/json.ts";
import type { StoredMeta } from "../../api/object.ts";
import type { IndexValues } from "./field-index.ts";

/** A stored object: plain JSON, complete, immutable. */
export interface StoredJson extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMeta & JsonObject;
}

/** One revision of one object. */
export interface StoreRecord {
  /** `namespace/name`, or the bare name of an object without a namespace. */
  readonly key: string;
  readonly revision: number;
  readonly object: StoredJson;
  /** The estimated memory of the object in bytes. */
  readonly size: number;
  /** Returns the object as JSON text, encoded once while memory allows it. */
  bytes(): Uint8Array;
}

/** A committed event. The record of a deletion has the last content with the revision of the deletion. */
export type StoreEvent =
  | { readonly type: "ADDED"; readonly record: StoreRecord; readonly previous?: undefined }
  | { readonly type: "MODIFIED" | "DELETED"; readonly record: StoreRecord; readonly previous: StoreRecord };

/** A commit: visible at once; it survives a crash once `durable` has resolved. */
export interface Commit {
  readonly record: StoreRecord;
  readonly durable: Promise<void>;
}

/** Which keys to read, in key order. */
export interface KeyRange {
  readonly namespace?: string | undefined;
  /** Only keys after this one. */
  readonly after?: string | undefined;
}

/** The objects of a collection at one revision. */
export interface View {
  get(key: string): StoreRecord | undefined;
  records(range?: KeyRange): Iterable<StoreRecord>;
  count(range?: KeyRange): number;
}

/** Which events a subscriber gets; the cost of a narrow scope does not depend on other objects' events. */
export type SubscriptionScope =
  | { readonly of: "all" }
  | { readonly of: "namespace"; readonly namespace: string }
  | { readonly of: "key"; readonly key: string }
  /** Events of objects that have this value in an index, or had it before the event. */
  | { readonly of: "index"; readonly index: string; readonly value: string };

/** Called in a microtask with the events since the last call, in order; must not throw. */
export type Listener = (events: readonly StoreEvent[]) => void;

/** All objects of one resource and their recent events. Reads of the collection itself return the newest state. */
export interface Collection extends View {
  readonly name: string;
  /** Returns the revision after which events are kept. */
  oldestRevision(): number;
  /** Returns the revision up to which every event was delivered to the subscribers. */
  deliveredRevision(): number;
  /**
   * Stores an object under a key; its `resourceVersion` becomes the commit's revision. `size` is its estimated size, if
   * known.
   */
  put(key: string, object: JsonObject, size?: number): Commit;
  /** Removes the object of a key; `undefined` when there is none. */
  remove(key: string): Commit | undefined;
  /** Returns the newest state, which later commits do not change. */
  snapshot(): View;
  /** Returns the state at a revision, which stays readable for some minutes; `undefined` when it is too old. */
  at(revision: number): View | undefined;
  /** Returns the events after a revision in order; `undefined` when some of them are no longer kept. */
  since(revision: number): readonly StoreEvent[] | undefined;
  /** Returns the objects that have a value in an index of this collection, in key order. */
  byIndex(index: string, value: string): readonly StoreRecord[];
  /** Delivers every later event in the scope, in order, none merged; returns a function that unsubscribes. */
  subscribe(scope: SubscriptionScope, listener: Listener): () => void;
}

/** The collection and key of an object. */
export interface Location {
  readonly collection: string;
  readonly key: string;
}

/** Indexes by the name of their collection, then by their own name. */
export type StoreIndexes = Readonly<Record<string, CollectionIndexes>>;
export type CollectionIndexes = Readonly<Record<string, IndexValues>>;

/** A store with one writer and one revision counter; a collection is created when it is first named. */
export interface Store {
  /** The revision of the last commit. */
  revision(): number;
  collection(name: string): Collection;
  /**
   * Adds indexes to collections, also over objects that are stored already; an index with a known name is left alone.
   */
  addIndexes(indexes: StoreIndexes): void;
  /** Adds indexes with a pause after each object; an index is complete at the end. */
  addIndexesInSteps(indexes: StoreIndexes): Generator<void, void, void>;
  collections(): readonly Collection[];
  /** Drops all history: a client that asks for an older revision has to list again. */
  compact(): void;
  /** Returns why no write should be tried now: the last one could not be persisted, and none has been since. */
  writeFailure(): Error | undefined;
  /** Resolves when every commit so far survives a crash; `undefined` when none waits for that. */
  flushed(): Promise<void> | undefined;
  /** Finishes pending writes and cancels every timer. */
  close(): Promise<void>;
  /** Returns where the objects are that have this UID in their owner references. */
  ownedBy(uid: string): readonly Location[];
}
