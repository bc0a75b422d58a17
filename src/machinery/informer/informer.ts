import type { StoredObject } from "../../api/object.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import type { Client } from "../client/client.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import type { Random } from "../random/random.ts";
import { CollectionView } from "./collection-view.ts";
import type { IndexFunction } from "./indexer.ts";
import type { Change } from "./object-changes.ts";
import type { ListWatchOutput } from "../watch/list-watch-state.ts";
import { runListWatch, type Scope } from "../watch/run-list-watch.ts";

/** Who is told what happened to objects: synchronously, in order, when the informer's own view has changed already. */
export interface ResourceEventHandler<T> {
  added?(object: T): void;
  /** Also called with the same object twice, when a resync was asked for. */
  updated?(old: T, object: T): void;
  /** Gets the last known state of the object. */
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
  /** How often handlers are told about everything again; absent: never. */
  readonly resyncMs?: number | undefined;
}

/** A local, indexed view of a collection that follows the API server. Objects are shared and must not be changed. */
export class Informer<T extends StoredObject> {
  readonly resource: Resource<T>;
  readonly #options: InformerOptions<T>;
  readonly #view = new CollectionView<T>();
  #handlers: readonly ResourceEventHandler<T>[] = [];
  #hasSynced = false;
  #onSynced: (() => void)[] = [];

  constructor(options: InformerOptions<T>) {
    this.resource = options.resource;
    this.#options = options;
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) this.addIndex(name, valuesOf);
  }

  /** The version the view has reached, bookmarks and deletions included; empty until there is one. */
  get resourceVersion(): string {
    return this.#view.resourceVersion;
  }

  /** Whether the whole collection has been seen once, by the handlers too. */
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

  /** Adds an index; one of that name stays as it is, so everyone who shares the informer may ask for it. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#view.store.addIndex(name, valuesOf);
  }

  /** Adds a handler, which is told about what is there already; the returned function removes it. */
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
    return new Promise((resolve) => {
      const abort = () => resolve(false);
      signal.addEventListener("abort", abort, { once: true });
      this.#onSynced.push(() => {
        signal.removeEventListener("abort", abort);
        resolve(true);
      });
    });
  }

  /** Follows the collection until the signal aborts; rejects only with what a handler threw. */
  async run(signal: AbortSignal): Promise<void> {
    const resync = this.#startResync();
    this.#view.take({ type: "discard" }); // of an earlier run that was cut short
    const { log = silentLogger } = this.#options;
    const failed = (error: unknown) =>
      log.warn("watch failed", { resource: qualifiedName(this.resource), error });
    try {
      await runListWatch({ ...this.#options, failed, sink: (output) => this.#take(output) }, signal);
    } finally {
      resync.cancel();
    }
  }

  #take(output: ListWatchOutput<T>): void {
    this.#tell(this.#view.take(output));
    if (output.type !== "replace" || this.#hasSynced) return;
    this.#hasSynced = true;
    for (const resolve of this.#onSynced.splice(0)) resolve();
  }

  // A handler added by a handler has been told of everything as it now is: it gets no part of these changes.
  #tell(changes: readonly Change<T>[]): void {
    const handlers = this.#handlers;
    for (const change of changes) for (const handler of handlers) notify(handler, change);
  }

  #startResync(): Timer {
    const { clock, resyncMs } = this.#options;
    if (resyncMs === undefined) return { cancel: () => undefined };
    const resync = () => {
      timer = clock.after(resyncMs, resync);
      this.#tell(this.list().map((object) => ({ type: "updated", old: object, object })));
    };
    let timer = clock.after(resyncMs, resync);
    return { cancel: () => timer.cancel() };
  }
}

function notify<T>(handler: ResourceEventHandler<T>, change: Change<T>): void {
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
