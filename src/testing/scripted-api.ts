import { type Draft, keyOf, type StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import { apiFailure } from "../machinery/client/api-error.ts";
import type {
  Client,
  DeleteOptions,
  ListQuery,
  ListResult,
  ObjectName,
  WatchEvent,
  WatchQuery,
} from "../machinery/client/client.ts";
import { concerns, ScriptedStore, type Interest, type Past } from "./scripted-store.ts";
import { PushStream } from "./push-stream.ts";

/** A request that the server got. */
export interface ScriptedApiRequest {
  readonly verb: "get" | "list" | "watch" | "create" | "update" | "delete";
  readonly resource: string;
  readonly query?: ListQuery | WatchQuery;
}

interface Watcher extends Interest {
  readonly bookmarks: boolean;
}

type ScriptedWatch = PushStream<WatchEvent<StoredObject>>;

/**
 * An API server that misbehaves as a test wants it to: requests fail, watches are late or end, history is compacted. It
 * also stores what a real server would refuse: it has no defaults, validation, selectors, patches or graceful deletion.
 * Objects are frozen deeply. A test of anything else uses `testApi` or `testCluster`.
 */
export class ScriptedApi implements Client {
  /** Every request so far. */
  readonly requests: ScriptedApiRequest[] = [];
  /** Errors that the next requests fail with. */
  readonly failures: unknown[] = [];
  /** Whether a watch may begin with everything there is. */
  streams = true;
  readonly #store = new ScriptedStore();
  readonly #watchers = new Map<ScriptedWatch, Watcher>();
  #held: Past[] | undefined;
  #created = 0;

  get resourceVersion(): string {
    return String(this.#store.revision);
  }

  get openWatches(): number {
    return this.#watchers.size;
  }

  /** Returns the stored objects of a collection by key, without a request. */
  stored<T extends StoredObject>(resource: Resource<T>): readonly T[] {
    return this.#store.all(resource, undefined);
  }

  /** Compacts the history: a request for an older version fails with 410. */
  forgetHistory(): void {
    this.#store.forgetHistory();
  }

  /** Ends every watch, quietly or with an error. */
  endWatches(error?: unknown): void {
    for (const stream of this.#watchers.keys()) {
      if (error === undefined) stream.end();
      else stream.fail(error);
    }
  }

  /** Holds back events from watchers, so that their views become stale. */
  holdWatches(): void {
    this.#held ??= [];
  }

  releaseWatches(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const past of held) this.#deliver(past);
  }

  /** Sends a bookmark to every watch that allows them. */
  bookmark(): void {
    if (this.#held !== undefined) return;
    for (const [stream, { bookmarks }] of this.#watchers) if (bookmarks) stream.push(this.#bookmark(false));
  }

  /** This server has no discovery: there is no kind that is not known already. */
  resource(): Promise<never> {
    return Promise.reject(apiFailure(404, "NotFound"));
  }

  async get<T extends StoredObject>(resource: Resource<T>, name: ObjectName): Promise<T> {
    this.#receive("get", resource);
    return this.#store.get(resource, keyOfName(name));
  }

  async list<T extends StoredObject>(resource: Resource<T>, query: ListQuery): Promise<ListResult<T>> {
    this.#receive("list", resource, query);
    return this.#store.page(resource, query) as ListResult<T>;
  }

  watch<T extends StoredObject>(
    resource: Resource<T>,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>> {
    const stream = new PushStream<WatchEvent<StoredObject>>(() => this.#watchers.delete(stream));
    try {
      signal.throwIfAborted();
      this.#receive("watch", resource, query);
      this.#watchers.set(stream, this.#begin(stream, resource, query));
      signal.addEventListener("abort", () => stream.fail(signal.reason));
    } catch (error) {
      stream.fail(error); // passed on to the reader of the watch
    }
    return stream as AsyncIterable<WatchEvent<StoredObject>> as AsyncIterable<WatchEvent<T>>;
  }

  async create<T extends StoredObject>(resource: Resource<T>, object: Draft<T>): Promise<T> {
    this.#receive("create", resource);
    const key = keyOf(object);
    if (this.#store.has(resource, key)) throw apiFailure(409, "AlreadyExists", `${key} already exists`);
    const { name = "", ...metadata } = object.metadata;
    const uid = `uid-${++this.#created}`;
    const stored = { ...object, metadata: { ...metadata, name, uid, resourceVersion: "" } };
    return this.#commit(resource, "ADDED", stored as StoredObject as T);
  }

  async update<T extends StoredObject>(resource: Resource<T>, object: T): Promise<T> {
    this.#receive("update", resource);
    const { uid, resourceVersion } = this.#store.get(resource, keyOf(object)).metadata;
    if (object.metadata.uid !== uid || object.metadata.resourceVersion !== resourceVersion)
      throw apiFailure(409, "Conflict", `${keyOf(object)} has been modified`);
    return this.#commit(resource, "MODIFIED", object);
  }

  async delete<T extends StoredObject>(
    resource: Resource<T>,
    name: ObjectName,
    { preconditions }: DeleteOptions = {},
  ): Promise<undefined> {
    this.#receive("delete", resource);
    const object = this.#store.get(resource, keyOfName(name));
    if (preconditions?.uid !== undefined && preconditions.uid !== object.metadata.uid)
      throw apiFailure(409, "Conflict", `${name.name} has another UID`);
    this.#commit(resource, "DELETED", object);
  }

  patch(): Promise<never> {
    return Promise.reject(new Error("ScriptedApi does not support patches"));
  }

  deleteCollection(): Promise<never> {
    return Promise.reject(new Error("ScriptedApi does not support deleting collections"));
  }

  bind(): Promise<never> {
    return Promise.reject(new Error("ScriptedApi does not support binding"));
  }

  evict(): Promise<never> {
    return Promise.reject(new Error("ScriptedApi does not support evictions"));
  }

  #receive(verb: ScriptedApiRequest["verb"], resource: Resource, query?: ListQuery | WatchQuery): void {
    this.requests.push({
      verb,
      resource: qualifiedName(resource),
      ...(query === undefined ? {} : { query }),
    });
    if (this.failures.length > 0) throw this.failures.shift();
    if (query?.labelSelector !== undefined || query?.fieldSelector !== undefined)
      throw new Error("ScriptedApi does not support selectors");
  }

  #commit<T extends StoredObject>(resource: Resource<T>, type: Past["event"]["type"], object: T): T {
    const past = this.#store.commit(resource, type, object);
    if (this.#held === undefined) this.#deliver(past);
    else this.#held.push(past);
    return past.event.object as T;
  }

  #deliver(past: Past): void {
    for (const [stream, watcher] of this.#watchers) if (concerns(past, watcher)) stream.push(past.event);
  }

  #begin(stream: ScriptedWatch, resource: Resource, query: WatchQuery): Watcher {
    const { namespace, sendInitialEvents = false, allowWatchBookmarks: bookmarks = false } = query;
    const since = sendInitialEvents ? this.#store.revision : Number(query.resourceVersion);
    const watcher = { resource: qualifiedName(resource), namespace, since, bookmarks };
    if (sendInitialEvents) {
      if (!this.streams) throw apiFailure(422, "Invalid", "sendInitialEvents is forbidden");
      for (const object of this.#store.all(resource, namespace)) stream.push({ type: "ADDED", object });
      stream.push(this.#bookmark(true));
      return watcher;
    }
    // Held events reach this watcher later, as they do all others.
    for (const past of this.#store.happened(watcher))
      if (this.#held?.includes(past) !== true) stream.push(past.event);
    return watcher;
  }

  #bookmark(initialEventsEnd: boolean): WatchEvent<StoredObject> {
    return { type: "BOOKMARK", resourceVersion: this.resourceVersion, initialEventsEnd };
  }
}

function keyOfName({ namespace, name }: ObjectName): string {
  return keyOf({ metadata: namespace === undefined ? { name } : { name, namespace } });
}
