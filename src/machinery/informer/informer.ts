import type { StoredObject } from "../../api/object.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import { isForbidden } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import { runNowOrInSteps } from "../clock/run-in-steps.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import type { Random } from "../random/random.ts";
import { CollectionView, type InformerChange } from "./collection-view.ts";
import type { IndexFunction } from "./indexer.ts";
import type { ListWatchOutput } from "../watch/list-watch-state.ts";
import { runListWatch, type Scope } from "../watch/run-list-watch.ts";

/** Called for every change, synchronously and in order, after the informer has applied it. */
export interface ResourceEventHandler<T> {
  added?(object: T): void;
  /** Also called with the same object twice when the informer resyncs. */
  updated?(old: T, object: T): void;
  /** Called with the last known state of the object. */
  deleted?(object: T): void;
}

export interface InformerOptions<T extends StoredObject> {
  readonly client: Client;
  readonly resource: Resource<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger | undefined;
  /** Absent: the whole collection. */
  readonly scope?: Scope | undefined;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>> | undefined;
  /** How often every object is passed to the handlers again; absent: never. */
  readonly resyncMs?: number | undefined;
}

/** A caller that waits until an informer has synced. */
interface Waiting {
  readonly until: "synced" | "synced or forbidden";
  readonly release: () => void;
}

/**
 * A local, indexed copy of a collection that follows the API server. Objects are shared and must not be changed; those of
 * a server over HTTPS have no managed fields.
 */
export class Informer<T extends StoredObject> {
  readonly resource: Resource<T>;
  readonly #options: InformerOptions<T>;
  readonly #view = new CollectionView<T>();
  #handlers: readonly ResourceEventHandler<T>[] = [];
  #hasSynced = false;
  #isForbidden = false;
  #waiting: readonly Waiting[] = [];

  constructor(options: InformerOptions<T>) {
    this.resource = options.resource;
    this.#options = options;
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) this.addIndex(name, valuesOf);
  }

  /** The resource version that has been read, bookmarks and deletions included; empty until there is one. */
  get resourceVersion(): string {
    return this.#view.resourceVersion;
  }

  /** Reports whether the collection has been listed and passed to the handlers once. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get(key: string): T | undefined {
    return this.#view.store.get(key);
  }

  list(): readonly T[] {
    return this.#view.store.list();
  }

  byIndex(name: string, value: string): readonly T[] {
    return this.#view.store.byIndex(name, value);
  }

  /** Adds an index; one of that name stays as it is, so that all users of a shared informer may add it. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#view.store.addIndex(name, valuesOf);
  }

  /** Adds a handler and calls it for the objects known already; the returned function removes it. */
  addHandler(handler: ResourceEventHandler<T>): () => void {
    this.#handlers = [...this.#handlers, handler];
    for (const object of this.list()) handler.added?.(object);
    return () => {
      this.#handlers = this.#handlers.filter((other) => other !== handler);
    };
  }

  /** Resolves to true once synced, to false when the signal aborts before. */
  synced(signal: AbortSignal): Promise<boolean> {
    if (this.#hasSynced || signal.aborted) return Promise.resolve(this.#hasSynced);
    return this.#wait("synced", signal);
  }

  /**
   * Variant of `synced` for callers that do not need the collection: also resolves to true once the API server has
   * refused to list it. The informer keeps trying, and `hasSynced` reports when it has succeeded.
   */
  syncedOrForbidden(signal: AbortSignal): Promise<boolean> {
    if (this.#isForbidden) return Promise.resolve(true);
    if (this.#hasSynced || signal.aborted) return Promise.resolve(this.#hasSynced);
    return this.#wait("synced or forbidden", signal);
  }

  /** Follows the collection until the signal aborts; rejects only with what a handler threw. */
  async run(signal: AbortSignal): Promise<void> {
    const resync = this.#startResync();
    this.#view.apply({ type: "discard" }); // of an earlier run that was aborted
    const { log = silentLogger } = this.#options;
    const resource = qualifiedName(this.resource);
    const failed = (error: unknown) => {
      log.warn("watch failed", { resource, error });
      if (isForbidden(error)) this.#refused();
    };
    const streamRefused = (error: unknown) => log.debug("streamed list refused", { resource, error });
    const sink = (output: ListWatchOutput<T>) => this.#apply(output, signal);
    try {
      await runListWatch({ ...this.#options, failed, streamRefused, sink }, signal);
    } finally {
      resync.cancel();
    }
  }

  #apply(output: ListWatchOutput<T>, signal: AbortSignal): Promise<void> | undefined {
    if (output.type === "replace" && !this.#hasSynced)
      return runNowOrInSteps(this.#begin(output.resourceVersion, signal), this.#options.clock);
    this.#notify(this.#view.apply(output));
    return undefined;
  }

  /**
   * Applies the first list object by object, with pauses: it may have tens of thousands of objects, and no controller
   * reads an informer before it has synced. A later list replaces all objects at once; otherwise a controller would see
   * a mixture of old and new objects.
   */
  *#begin(resourceVersion: string, signal: AbortSignal): Generator<void, void, void> {
    for (const change of this.#view.replace(resourceVersion)) {
      this.#notify([change]);
      yield;
      if (signal.aborted) return;
    }
    this.#hasSynced = true;
    this.#release(this.#waiting);
  }

  #refused(): void {
    this.#isForbidden = true;
    this.#release(this.#waiting.filter(({ until }) => until === "synced or forbidden"));
  }

  #wait(until: Waiting["until"], signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const abort = () => resolve(false);
      signal.addEventListener("abort", abort, { once: true });
      const release = () => {
        signal.removeEventListener("abort", abort);
        resolve(true);
      };
      this.#waiting = [...this.#waiting, { until, release }];
    });
  }

  #release(released: readonly Waiting[]): void {
    this.#waiting = this.#waiting.filter((each) => !released.includes(each));
    for (const { release } of released) release();
  }

  // A handler added by a handler was called for the current objects: these changes are not for it.
  #notify(changes: readonly InformerChange<T>[]): void {
    const handlers = this.#handlers;
    for (const change of changes) for (const handler of handlers) notify(handler, change);
  }

  #startResync(): Timer {
    const { clock, resyncMs } = this.#options;
    if (resyncMs === undefined) return { cancel: () => undefined };
    const resync = () => {
      timer = clock.after(resyncMs, resync);
      this.#notify(this.list().map((object) => ({ type: "updated", old: object, object })));
    };
    let timer = clock.after(resyncMs, resync);
    return { cancel: () => timer.cancel() };
  }
}

function notify<T>(handler: ResourceEventHandler<T>, change: InformerChange<T>): void {
  switch (change.type) {
    case "added":
      handler.added?.(change.object);
      break;
    case "updated":
      handler.updated?.(change.old, change.object);
      break;
    case "deleted":
      handler.deleted?.(change.object);
      break;
  }
}
