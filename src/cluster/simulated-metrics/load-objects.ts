import type { Pod } from "../../api/generated/core-v1.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import { deployments, pods, replicaSets, replicationControllers, statefulSets } from "../../api/resources.ts";
import type { InformerFactory } from "../../machinery/informer/informer-factory.ts";
import { indexByNamespace, objectsInNamespace } from "../../machinery/ownership/owner-index.ts";
import type { Store } from "../store/store.ts";
import type { LoadObjects } from "./load-source.ts";

/** The workloads that may be annotated with a load. */
export const loadWorkloads: readonly Resource[] = [
  deployments,
  replicaSets,
  replicationControllers,
  statefulSets,
];

/** Returns the Pods and workloads that a component's informers know. */
export function loadsOfInformers(informers: InformerFactory): LoadObjects {
  const podInformer = informers.of(pods);
  indexByNamespace(podInformer);
  const byKind = new Map(loadWorkloads.map((resource) => [resource.kind, informers.of(resource)]));
  return {
    podsIn: (namespace) => objectsInNamespace(podInformer, namespace),
    workload: (kind, key) => byKind.get(kind)?.get(key),
  };
}

/** Returns the Pods and workloads that the API server stores. */
export function loadsOfStore(store: Store): LoadObjects {
  const byKind = new Map(
    loadWorkloads.map((resource) => [resource.kind, store.collection(qualifiedName(resource))]),
  );
  return {
    *podsIn(namespace) {
      // A collection holds only objects of its resource.
      for (const { object } of store.collection(qualifiedName(pods)).records({ namespace }))
        yield object as unknown as Pod;
    },
    workload: (kind, key) => byKind.get(kind)?.get(key)?.object,
  };
}
