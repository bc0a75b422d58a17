import { keyOf } from "../../api/object.ts";
import type { SchedulerInformers } from "../scheduler-informers.ts";
import type { ClusterView } from "./scheduler-cache.ts";

const byNamespace = "namespace";

/** The cluster view of informers, for the objects that placement looks up by name. */
export function clusterViewOf(informers: SchedulerInformers): ClusterView {
  const { services, replicationControllers, replicaSets, statefulSets, namespaces } = informers;
  services.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? ""]);
  const key = (namespace: string, name: string) => keyOf({ metadata: { namespace, name } });
  return {
    servicesIn: (namespace) => services.byIndex(byNamespace, namespace),
    replicationController: (namespace, name) => replicationControllers.get(key(namespace, name)),
    replicaSet: (namespace, name) => replicaSets.get(key(namespace, name)),
    statefulSet: (namespace, name) => statefulSets.get(key(namespace, name)),
    namespaceLabels: (namespace) => namespaces.get(namespace)?.metadata.labels,
  };
}
