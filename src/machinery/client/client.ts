import type { Binding } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Draft, StoredObject } from "../../api/object.ts";
import type { GroupKind, Resource } from "../../api/resource.ts";

/** The kind to find. */
export interface KindQuery extends GroupKind {
  /** Absent: the version that the server prefers. */
  readonly version?: string | undefined;
}

/** How an object is addressed within its collection. */
export interface ObjectName {
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
  readonly name: string;
  /** The subresource that a get reads; absent: the object itself. */
  readonly subresource?: "scale" | undefined;
}

export interface ListQuery {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  /**
   * Set by callers that do not read managed fields, which then need not be parsed and kept. Objects that are shared in
   * process may have them anyway.
   */
  readonly withoutManagedFields?: boolean | undefined;
}

export interface WatchQuery extends Omit<ListQuery, "limit" | "continue"> {
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface ListResult<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Present when there are more pages. */
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
}

/** What a watch delivers. A failed watch throws an `ApiError` instead of delivering an ERROR event. */
export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WriteOptions {
  /** Absent: the object itself. */
  readonly subresource?: "status" | "scale" | "finalize" | undefined;
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of a write that sends a whole object. */
export interface ObjectWriteOptions extends WriteOptions {
  /** What the caller reads of the result: with `metadata`, the rest may be what was sent. Absent: everything. */
  readonly reads?: "metadata" | undefined;
}

export type Patch =
  | { readonly type: "json"; readonly operations: readonly JsonObject[] }
  | { readonly type: "merge" | "strategic"; readonly body: JsonObject };

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly dryRun?: boolean | undefined;
  /** What the caller reads of the result; with `nothing` there may be none. Absent: everything. */
  readonly reads?: "nothing" | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How the Pod of an eviction is deleted. */
export type EvictOptions = Pick<DeleteOptions, "gracePeriodSeconds" | "preconditions" | "dryRun" | "signal">;

/**
 * The API, the same in process and over HTTPS. Objects it returns are shared and must not be changed. A request that the
 * server refuses throws an `ApiError`; a lost connection or an abort throws another error.
 */
export interface Client {
  /**
   * Finds the resource of a kind that is known by its name only, such as one that a CustomResourceDefinition defines: the
   * other functions, informers and controllers take it. Without a version it is the server's preferred one. Throws an
   * `ApiError` with code 404 when the server has no such kind.
   */
  resource<T extends StoredObject = StoredObject>(
    kind: KindQuery,
    signal?: AbortSignal,
  ): Promise<Resource<T>>;
  get<T extends StoredObject>(resource: Resource<T>, name: ObjectName, signal?: AbortSignal): Promise<T>;
  list<T extends StoredObject>(
    resource: Resource<T>,
    query: ListQuery,
    signal?: AbortSignal,
  ): Promise<ListResult<T>>;
  /** Ends when the server ends the stream; throws when the signal aborts or the server refuses. */
  watch<T extends StoredObject>(
    resource: Resource<T>,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
  create<T extends StoredObject>(
    resource: Resource<T>,
    object: Draft<T>,
    options?: ObjectWriteOptions,
  ): Promise<T>;
  update<T extends StoredObject>(resource: Resource<T>, object: T, options?: ObjectWriteOptions): Promise<T>;
  patch<T extends StoredObject>(
    resource: Resource<T>,
    name: ObjectName,
    patch: Patch & WriteOptions,
  ): Promise<T>;
  /** Resolves to the object while its grace period or finalizers keep it, to `undefined` when it is gone. */
  delete<T extends StoredObject>(
    resource: Resource<T>,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<T | undefined>;
  deleteCollection(resource: Resource, query: ListQuery, options?: DeleteOptions): Promise<void>;
  /** Binds a Pod to a node. */
  bind(
    pod: ObjectName,
    binding: Pick<Binding, "target"> & { readonly uid?: string },
    signal?: AbortSignal,
  ): Promise<void>;
  /** Evicts a Pod; throws an `ApiError` with code 429 while a disruption budget forbids it. */
  evict(pod: ObjectName, options?: EvictOptions): Promise<void>;
}
