import type { Pod } from "../../api/generated/core-v1.ts";
import type { WorkloadReader } from "../../decisions/gather/workload-reader.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import {
  indexByController,
  indexByNamespace,
  objectsInNamespace,
  type OwnerIndex,
  withSameController,
} from "../../machinery/ownership/owner-index.ts";
import type { ReplicaDependencies } from "./dependencies.ts";

/** Reads a cluster from the informers of a controller, as they are at the moment of reading. */
export function informerReader<T extends ReplicaOwner>(
  index: OwnerIndex<T, Pod>,
  { owners, pods, nodes, services }: Pick<ReplicaDependencies<T>, "owners" | "pods" | "nodes" | "services">,
): WorkloadReader<T> {
  indexByController(owners);
  indexByNamespace(pods);
  return {
    claimablePods: (owner) => index.claimableBy(owner),
    siblings: (owner) => withSameController(owners, owner),
    podsIn: (namespace) => objectsInNamespace(pods, namespace),
    nodes: () => (nodes.hasSynced ? nodes.list() : undefined),
    services: () => services.list(),
  };
}
