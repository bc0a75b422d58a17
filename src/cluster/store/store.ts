import type { JsonObject } from "../../api/json.ts";
import type { StoredMeta } from "../../api/object.ts";
import type { IndexValues } from "./field-index.ts";

/** An object as the store keeps it: plain JSON, complete, never changed once it is in. */
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
  /** The object as JSON text; encoded once, however many ask. */
  bytes(): Buffer;
}

/** One committed change. The record of a deletion is the last content, stamped with the revision of the deletion. */
export type StoreEvent =
  | { readonly type: "ADDED"; readonly record: StoreRecord; readonly previous?: undefined }
  | { readonly type: "MODIFIED" | "DELETED"; readonly record: StoreRecord; readonly previous: StoreRecord };

/** What a commit answers: it is visible at once, and survives a crash when `durable` resolves. */
export interface Commit {
  readonly record: StoreRecord;
  readonly durable: Promise<void>;
}

/** Which keys to read, in key order. */
export interface KeyRange {
  readonly namespace?: string | undefined;
  /** Only keys behind this one. */
  readonly after?: string | undefined;
}

/** The objects of a collection at one revision. */
export interface View {
  get(key: string): StoreRecord | undefined;
  records(range?: KeyRange): Iterable<StoreRecord>;
  count(range?: KeyRange): number;
}

/** Which events a subscriber sees; narrow scopes cost nothing when others change. */
export type Scope =
  | { readonly of: "all" }
  | { readonly of: "namespace"; readonly namespace: string }
  | { readonly of: "key"; readonly key: string }
  /** Events of objects that have, or had just before, this value in an index. */
  | { readonly of: "index"; readonly index: string; readonly value: string };

/** Called in a microtask with what was committed since the last call, in order; must not throw. */
export type Listener = (events: readonly StoreEvent[]) => void;

/** All objects of one resource, with their recent past. Reads of the collection itself see the newest state. */
export interface Collection extends View {
  readonly name: string;
  /** Events after this revision are known; what is older is gone. */
  oldestRevision(): number;
  /** Every event up to this revision has reached the subscribers. */
  deliveredRevision(): number;
  /** Stores an object under a key; its `resourceVersion` becomes the commit's revision. */
  put(key: string, object: JsonObject): Commit;
  /** Removes what the key holds; `undefined` when that is nothing. */
  remove(key: string): Commit | undefined;
  /** The state at a revision, kept readable for some minutes; `undefined` when it is too old. */
  at(revision: number): View | undefined;
  /** The events after a revision in order; `undefined` when some of them are gone. */
  since(revision: number): readonly StoreEvent[] | undefined;
  /** Returns the objects that have a value in an index of this collection, in key order. */
  byIndex(index: string, value: string): readonly StoreRecord[];
  /** Delivers every later event in the scope, in order, none merged; the answer ends the subscription. */
  subscribe(scope: Scope, listener: Listener): () => void;
}

/** Where an object is. */
export interface Location {
  readonly collection: string;
  readonly key: string;
}

/** Indexes by the name of their collection, then by their own name. */
export type StoreIndexes = Readonly<Record<string, CollectionIndexes>>;
export type CollectionIndexes = Readonly<Record<string, IndexValues>>;

/** One writer, one revision counter, collections that appear when they are first named. */
export interface Store {
  /** The revision of the last commit. */
  revision(): number;
  collection(name: string): Collection;
  /** Makes collections keep these indexes, also of what they hold already; a name that is known is left alone. */
  addIndexes(indexes: StoreIndexes): void;
  collections(): readonly Collection[];
  /** Forgets everything but the present: what asks for an older revision has to list again. */
  compact(): void;
  /** Finishes what is under way and keeps nothing alive afterwards. */
  close(): Promise<void>;
  /** Everything that names this UID in its owner references. */
  ownedBy(uid: string): readonly Location[];
}
