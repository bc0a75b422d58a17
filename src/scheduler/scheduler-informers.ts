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

/** The collections a scheduler follows. */
export type SchedulerInformers = ReturnType<typeof schedulerInformers>;

/** Asks for them. */
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
