import { keyOf } from "../api/object.ts";
import {
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
  storageClasses,
} from "../api/resources.ts";
import type { ObjectLookups, VolumeLookups } from "../decisions/placement/view/cluster-view.ts";
import { classNameOf, isReservedFor } from "../decisions/volumes/volume-match.ts";
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
    persistentVolumeClaims: informers.of(persistentVolumeClaims),
    persistentVolumes: informers.of(persistentVolumes),
    storageClasses: informers.of(storageClasses),
  };
}

const byNamespace = "namespace";

/** Finds the objects that placement looks up in the caches of informers. */
export function lookupsOf(informers: SchedulerInformers): Omit<ObjectLookups, "volumes"> {
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

const byClaim = "claim-of-volume";
const byClass = "class-of-unclaimed-volume";

/** Finds claims and volumes in the caches of informers. */
export function volumeLookupsOf(
  { persistentVolumeClaims: claims, persistentVolumes: volumes, storageClasses: classes }: SchedulerInformers,
  { bindsClaims }: Pick<VolumeLookups, "bindsClaims">,
): VolumeLookups {
  volumes.addIndex(byClaim, ({ spec: { claimRef } }) =>
    claimRef === undefined ? [] : [`${claimRef.namespace ?? ""}/${claimRef.name ?? ""}`],
  );
  volumes.addIndex(byClass, (volume) =>
    volume.spec.claimRef === undefined ? [classNameOf(volume) ?? ""] : [],
  );
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    storageClass: (name) => classes.get(name),
    reservedFor: (claim) =>
      volumes.byIndex(byClaim, keyOf(claim)).find((volume) => isReservedFor(volume, claim)),
    unclaimed: (storageClass) => volumes.byIndex(byClass, storageClass),
    bindsClaims,
  };
}
