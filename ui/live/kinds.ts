import type { Job } from "../../src/api/generated/batch-v1.ts";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { jobs } from "../../src/api/resources.ts";
import { type ClusterObjects, clusterResources } from "../../src/decisions/explain/cluster-objects.ts";

/** The kinds that the page watches, by the name of their collection: those that decisions read, and Jobs, which own Pods. */
export type WatchedKinds = { readonly [K in keyof ClusterObjects]: ClusterObjects[K][number] } & {
  readonly jobs: Job;
};

export type WatchedKind = keyof WatchedKinds;

/** The resource of each kind. */
export const watchedResources: { readonly [K in WatchedKind]: Resource<WatchedKinds[K]> } = {
  ...clusterResources,
  jobs,
};

export const watchedKinds = Object.keys(watchedResources) as readonly WatchedKind[];

/** One object that was added, changed or deleted: what it was before, and what it is now. */
export interface LiveChange {
  readonly kind: WatchedKind;
  readonly key: string;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
}
