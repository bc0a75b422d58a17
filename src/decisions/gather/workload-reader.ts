import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, Service, ReplicationController } from "../../api/generated/core-v1.ts";
import { type ReplicaOwner, isReplicationController } from "../replicas/replica-owner.ts";
import type { StoredObject } from "../../api/object.ts";
import { controllerOf, isControlledBy } from "../../api/owner-references.ts";

/**
 * A cluster as decisions about ReplicaSets and ReplicationControllers read it. Informers, plain lists and the Pods of an
 * admission request implement it. Reading changes nothing and does not wait.
 */
export interface WorkloadReader<T extends ReplicaOwner = ReplicaOwner> {
  /** The Pods that an owner may claim: those it controls, and the orphans of its namespace. */
  claimablePods(owner: T): readonly Pod[];
  /** The owners of the same kind that have the same controller, itself included; only itself when it has none. */
  siblings(owner: T): readonly ReplicaOwner[];
  /** The Pods of a namespace, or at least those that can belong to the workload. */
  podsIn(namespace: string | undefined): Iterable<Pod>;
  /** The Pods of all namespaces; absent where they cannot be read. */
  allPods?(): Iterable<Pod>;
  /** `undefined` where they could not be read. */
  nodes(): readonly Node[] | undefined;
  /** None where they could not be read. */
  services(): readonly Service[];
}

/** A cluster as decisions about Deployments read it. */
export interface RevisionReader {
  /** The ReplicaSets that a Deployment may claim: those it controls, and the orphans of its namespace. */
  claimableReplicaSets(deployment: Deployment): readonly ReplicaSet[];
  /** The Pods that a ReplicaSet controls, whatever their state. */
  controlledPods(replicaSet: ReplicaSet): readonly Pod[];
}

/** The lists that decisions about workloads read: a part of `ClusterObjects`. */
interface WorkloadLists {
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
    allPods: () => pods,
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
