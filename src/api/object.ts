import type { ObjectMeta } from "./generated/meta-v1.ts";

/** Metadata of an object the API server has stored: these members are always there. */
export interface StoredMeta extends ObjectMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Any stored Kubernetes object. */
export interface StoredObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: StoredMeta;
}

/** An object to be created: the API server fills in the rest of the metadata. */
export type Draft<T extends StoredObject> = Omit<T, "metadata"> & { readonly metadata: ObjectMeta };

/** Whether an object has a deletion timestamp: it exists only until its finalizers and grace period are done. */
export function isBeingDeleted(object: {
  readonly metadata?: Pick<ObjectMeta, "deletionTimestamp">;
}): boolean {
  const deletedAt: unknown = object.metadata?.deletionTimestamp;
  return deletedAt !== undefined && deletedAt !== null;
}

/** `namespace/name`, or the bare name of an object without a namespace. */
export function keyOf(object: {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}): string {
  const { namespace, name = "" } = object.metadata;
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}
