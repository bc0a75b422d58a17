import type { JsonObject } from "../../../api/json.ts";
import type { Commit, StoredJson } from "../../store/store.ts";
import { type Item, itemOf, served } from "../item.ts";
import { metadataOf } from "../metadata.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { requestKey } from "../stored-object.ts";

/** An object that may be written, and whether it is to be. */
export interface Writing {
  readonly resource: ServedResource;
  readonly object: JsonObject;
  readonly dryRun: boolean;
}

/** What came of a write: visible at once, durable when the promise resolves. */
export interface Written {
  readonly item: Item;
  readonly durable: Promise<void> | undefined;
}

/** Puts an object in its place. */
export function commitPut(context: ServerContext, { resource, object, dryRun }: Writing): Written {
  if (dryRun) return { item: itemOf(object as StoredJson), durable: undefined };
  const stored = resource.conversion?.toStorage(object) ?? object;
  const commit = collectionOf(context, resource).put(storeKey(object), stored);
  return writtenBy(resource, commit);
}

/** Takes an object away; its last state is the answer. */
export function commitRemove(context: ServerContext, { resource, object, dryRun }: Writing): Written {
  const commit = dryRun ? undefined : collectionOf(context, resource).remove(storeKey(object));
  return commit === undefined
    ? { item: itemOf(object as StoredJson), durable: undefined }
    : { item: itemOf(object as StoredJson), durable: commit.durable };
}

function writtenBy(resource: ServedResource, { record, durable }: Commit): Written {
  return { item: served(resource, record), durable };
}

/** Where the store keeps an object. */
export function storeKey(object: JsonObject): string {
  return requestKey(metadataOf(object));
}
