import type { StoredObject } from "../api/object.ts";

/** What a test may want to be different about the metadata of an object; times are RFC 3339. */
export interface MetadataTraits {
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly createdAt?: string;
  readonly deletedAt?: string;
}

/** The metadata of an object as the API server stores it. */
export function storedMetadata(name: string, traits: MetadataTraits): StoredObject["metadata"] {
  return {
    name,
    namespace: traits.namespace ?? "default",
    uid: traits.uid ?? `uid-of-${name}`,
    resourceVersion: "1",
    generation: traits.generation ?? 1,
    creationTimestamp: traits.createdAt ?? "2026-01-01T00:00:00Z",
    ...(traits.deletedAt === undefined ? {} : { deletionTimestamp: traits.deletedAt }),
  };
}
