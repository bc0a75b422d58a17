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

/** The same object on its way to the server, which fills in the rest of the metadata. */
export type Draft<T extends StoredObject> = Omit<T, "metadata"> & { readonly metadata: ObjectMeta };

/** Whether an object is being deleted, so that nothing is to be done for it any more. */
export function isBeingDeleted(object: { readonly metadata: ObjectMeta }): boolean {
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
