import type { ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { DaemonSet, Deployment, StatefulSet } from "../../../src/api/generated/apps-v1.ts";
import type { Job } from "../../../src/api/generated/batch-v1.ts";
import type {
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
} from "../../../src/api/generated/core-v1.ts";
import type { StoredObject } from "../../../src/api/object.ts";
import { qualifiedName, type Resource } from "../../../src/api/resource.ts";
import {
  daemonSets,
  deployments,
  jobs,
  namespaces,
  nodes,
  persistentVolumeClaims,
  pods,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "../../../src/api/resources.ts";
import type { Store, StoreEvent } from "../../../src/cluster/store/store.ts";

/** The present objects of a collection, in key order. */
function objectsOf<T extends StoredObject>(store: Store, resource: Resource<T>): readonly T[] {
  return [...store.collection(qualifiedName(resource)).records()].map(({ object }) => object as unknown as T);
}

/** The API's own kinds, out of a store: what is in a collection is of its kind. */
export const stored = {
  pods: (store: Store): readonly Pod[] => objectsOf(store, pods),
  replicaSets: (store: Store): readonly ReplicaSet[] => objectsOf(store, replicaSets),
  replicationControllers: (store: Store): readonly ReplicationController[] =>
    objectsOf(store, replicationControllers),
  jobs: (store: Store): readonly Job[] => objectsOf(store, jobs),
  deployments: (store: Store): readonly Deployment[] => objectsOf(store, deployments),
  statefulSets: (store: Store): readonly StatefulSet[] => objectsOf(store, statefulSets),
  daemonSets: (store: Store): readonly DaemonSet[] => objectsOf(store, daemonSets),
  claims: (store: Store): readonly PersistentVolumeClaim[] => objectsOf(store, persistentVolumeClaims),
  nodes: (store: Store): readonly Node[] => objectsOf(store, nodes),
  namespaces: (store: Store): readonly Namespace[] => objectsOf(store, namespaces),
};

/** The Pod that an event of the collection `pods` is about, as it now is, and as it was. */
export function podChangeIn({ record, previous }: StoreEvent): {
  readonly pod: Pod;
  readonly was: Pod | undefined;
} {
  return { pod: record.object as unknown as Pod, was: previous?.object as unknown as Pod | undefined };
}
