import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Commit, StoredJson } from "../../store/store.ts";
import { withResourceVersion } from "../../store/record.ts";
import { objectMemory } from "./object-memory.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { isServed } from "../kind-registry.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { noSuchPath } from "../status-errors.ts";
import { type ServedObject, toServed, withBytes } from "./served-object.ts";
import { roomProblem, storableObject } from "./storage-limits.ts";
import { requestKey } from "./stored-object.ts";

/** A validated object, and whether the write is a dry run. */
export interface ObjectWrite {
  readonly resource: ServedResource;
  readonly object: JsonObject;
  readonly dryRun: boolean;
}

/** The result of a write: visible at once, durable when the promise resolves. */
export interface WriteResult {
  readonly item: ServedObject;
  readonly durable: Promise<void> | undefined;
}

/**
 * Commits an object; throws 413 when it is too large, 507 when there is no memory for it or its disk is full, 404 when its
 * kind is no longer served.
 */
export function commitPut(context: ServerContext, write: ObjectWrite): WriteResult {
  return checkedPut(context, write)();
}

/** Commits an object and others that change with it, in one turn and all or none; returns the result of the first. */
export function commitTogether(
  context: ServerContext,
  first: ObjectWrite,
  others: readonly ObjectWrite[],
): WriteResult {
  const put = checkedPut(context, first);
  const rest = others.map((other) => checkedPut(context, other));
  const result = put();
  for (const putOther of rest) putOther();
  return result;
}

/** Checks a write as `commitPut` does; the returned function performs it, in the same turn. */
function checkedPut(context: ServerContext, { resource, object, dryRun }: ObjectWrite): () => WriteResult {
  const converted = resource.conversion?.toStorage(object) ?? object;
  const collection = collectionOf(context, resource);
  const key = storeKey(object);
  const write = { object: converted, size: objectMemory(converted), previous: collection.get(key) };
  const stored = storableObject(write);
  if (dryRun) return () => ({ item: asIfStored(resource, object, converted), durable: undefined });
  checkWritable(context);
  if (!isServed(context.kinds, resource)) throw noSuchPath();
  const problem = roomProblem(context.heap(), write);
  if (problem !== undefined) {
    // Deleted objects free memory only when neither history nor the view of a paged list keeps them.
    context.store.compact();
    throw problem;
  }
  return () => writtenBy(resource, object, collection.put(key, stored, write.size));
}

/** Commits the removal of an object and returns its last state. */
export function commitRemove(
  context: Pick<ServerContext, "store">,
  {
    resource,
    object,
    dryRun,
  }: Omit<ObjectWrite, "resource"> & {
    readonly resource: Pick<ServedResource, "collection">;
  },
): WriteResult {
  if (!dryRun) checkWritable(context);
  const commit = dryRun ? undefined : collectionOf(context, resource).remove(storeKey(object));
  return commit === undefined
    ? { item: withBytes(object as StoredJson), durable: undefined }
    : { item: withBytes(object as StoredJson), durable: commit.durable };
}

/** Throws while the store cannot persist writes: a commit would be visible, but could never be acknowledged. */
function checkWritable({ store }: Pick<ServerContext, "store">): void {
  const failure = store.writeFailure();
  if (failure !== undefined) throw failure;
}

/** Returns an object with the labels and annotations of another. */
function withMarksOf({ metadata }: JsonObject, object: JsonObject): JsonObject {
  const { labels, annotations } = metadata as ObjectMeta;
  const { labels: _labels, annotations: _annotations, ...rest } = metadataOf(object);
  const marks = {
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  };
  return withMetadata(object, { ...rest, ...marks });
}

/** Returns an object as it would be read back: with the defaults that a stored object gets. */
function asIfStored({ conversion }: ServedResource, object: JsonObject, converted: JsonObject): ServedObject {
  const isRead = conversion !== undefined && conversion.ahead === undefined;
  return withBytes((isRead ? conversion.fromStorage(converted) : object) as StoredJson);
}

function writtenBy(resource: ServedResource, object: JsonObject, { record, durable }: Commit): WriteResult {
  // An object that a webhook has just converted is not converted back; what the webhook may change of the rest is kept.
  const isKnown = resource.conversion?.ahead !== undefined;
  const item = isKnown
    ? withBytes(withResourceVersion(withMarksOf(record.object, object), record.revision))
    : toServed(resource, record);
  return { item, durable };
}

/** Returns the store's key of an object. */
export function storeKey(object: JsonObject): string {
  return requestKey(metadataOf(object));
}
