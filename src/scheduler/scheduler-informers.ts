import {
  namespaces,
  nodes,
  pods,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
} from "../api/resources.ts";
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
  };
}
