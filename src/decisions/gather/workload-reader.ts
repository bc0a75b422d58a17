import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, Service } from "../../api/generated/core-v1.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";

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
