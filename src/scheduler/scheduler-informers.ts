import { keyOf } from "../api/object.ts";
import {
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
} from "../api/resources.ts";
import type { ObjectLookups } from "../decisions/placement/view/cluster-view.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";

/** The informers of a scheduler. */
export type SchedulerInformers = ReturnType<typeof schedulerInformers>;

/** Gets the informers of every collection the scheduler watches. */
export function schedulerInformers(informers: InformerFactory) {
  return {
    pods: informers.of(pods),
    nodes: informers.of(nodes),
    namespaces: informers.of(namespaces),
    services: informers.of(services),
    replicationControllers: informers.of(replicationControllers),
    replicaSets: informers.of(replicaSets),
    statefulSets: informers.of(statefulSets),
    podDisruptionBudgets: informers.of(podDisruptionBudgets),
  };
}

const byNamespace = "namespace";

/** Finds the objects that placement looks up in the caches of informers. */
export function lookupsOf(informers: SchedulerInformers): ObjectLookups {
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

/** Finds the disruption budgets of a namespace. */
export function budgetsOf({ podDisruptionBudgets: budgets }: SchedulerInformers) {
  budgets.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? ""]);
  return (namespace: string) => budgets.byIndex(byNamespace, namespace);
}
