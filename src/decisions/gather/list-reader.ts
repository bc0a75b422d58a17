import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, ReplicationController, Service } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import { controllerOf, isControlledBy } from "../../api/owner-references.ts";
import { type ReplicaOwner, isReplicationController } from "../replicas/replica-owner.ts";
import type { RevisionReader, WorkloadReader } from "./workload-reader.ts";

/** The lists that decisions about workloads read: a part of `ClusterObjects`. */
export interface WorkloadLists {
  readonly pods: readonly Pod[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly replicationControllers: readonly ReplicationController[];
  readonly nodes: readonly Node[];
  readonly services: readonly Service[];
}

/** Reads a cluster from plain lists: those of a command, of a snapshot, or of the page in a browser. */
export function listReader(lists: WorkloadLists): WorkloadReader & RevisionReader {
  const { pods, replicaSets, replicationControllers, nodes, services } = lists;
  return {
    claimablePods: (owner) => pods.filter(isClaimableBy(owner)),
    claimableReplicaSets: (deployment) => replicaSets.filter(isClaimableBy(deployment)),
    controlledPods: ({ metadata }) => pods.filter((pod) => isControlledBy(pod, metadata.uid)),
    siblings(owner) {
      const uid = controllerOf(owner)?.uid;
      if (uid === undefined) return [owner];
      const owners: readonly ReplicaOwner[] = isReplicationController(owner)
        ? replicationControllers
        : replicaSets;
      return owners.filter((other) => isInNamespaceOf(owner, other) && isControlledBy(other, uid));
    },
    podsIn: (namespace) => pods.filter(({ metadata }) => metadata.namespace === namespace),
    nodes: () => nodes,
    services: () => services,
  };
}

function isClaimableBy(owner: StoredObject): (object: StoredObject) => boolean {
  const { uid } = owner.metadata;
  return (object) =>
    isInNamespaceOf(owner, object) && (controllerOf(object) === undefined || isControlledBy(object, uid));
}

function isInNamespaceOf(owner: StoredObject, { metadata }: StoredObject): boolean {
  return metadata.namespace === owner.metadata.namespace;
}
