import { isConditionTrue } from "../../api/conditions.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Job } from "../../api/generated/batch-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { PodReplacementPolicy } from "../../api/workload-settings.ts";
import { budgetOf } from "../../decisions/rollout/budget.ts";

/** The progress of a workload towards its spec. */
export interface WorkloadProgress {
  /** `Deployment default/web`. */
  readonly key: string;
  /** The desired number of Pods. */
  readonly desired: number;
  /** The most Pods a rollout may have; absent where there is no such budget. */
  readonly budget?: number;
  /** The Pod replacement policy of a Deployment, where it has one and its gates are on. */
  readonly policy?: PodReplacementPolicy;
  readonly isComplete: boolean;
  /** The terminating Pods that its status counts. */
  readonly terminating?: number;
  /** The progress as a phrase. */
  readonly summary: string;
}

/** A change of a workload that was carried out. */
export interface WorkloadChange {
  readonly workload: string;
  readonly from: Instant;
  /** Absent while it is not complete. */
  until?: Instant;
}

type Controlled = Pick<ReplicaSet, "metadata" | "spec" | "status">;

/** How far a workload of a kind is; `undefined` for other kinds and for what a workload owns. */
export function progressOf(
  kind: string,
  object: StoredObject,
  gates: FeatureGates,
): WorkloadProgress | undefined {
  const key = workloadResultKey(kind, object.metadata);
  switch (kind) {
    case "Deployment":
      return deploymentProgress(key, object as Deployment, gates);
    case "ReplicaSet":
    case "ReplicationController":
      return controllerOf(object) === undefined ? replicaProgress(key, object as Controlled) : undefined;
    case "StatefulSet":
      return statefulProgress(key, object as StatefulSet);
    case "DaemonSet":
      return daemonProgress(key, object as DaemonSet);
    case "Job":
      return jobProgress(key, object as Job);
    default:
      return undefined;
  }
}

/** `Deployment default/web`: how a workload is named in results. */
export function workloadResultKey(
  kind: string,
  { namespace = "default", name = "" }: { readonly namespace?: string; readonly name?: string },
): string {
  return `${kind} ${namespace}/${name}`;
}

/** Whether the status is about the newest spec. */
const isObserved = ({ metadata, status }: Controlled | Deployment | StatefulSet | DaemonSet) =>
  (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);

function deploymentProgress(key: string, deployment: Deployment, gates: FeatureGates): WorkloadProgress {
  const { status = {} } = deployment;
  const { replicas: desired, maxReplicas, policy } = budgetOf(deployment, gates);
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  return {
    key,
    desired,
    budget: maxReplicas,
    ...(policy !== undefined && { policy }),
    terminating: status.terminatingReplicas ?? 0,
    // As `kubectl rollout status` has it.
    isComplete:
      isObserved(deployment) &&
      updatedReplicas === desired &&
      replicas === desired &&
      availableReplicas === desired,
    summary: `${updatedReplicas} of ${desired} updated, ${availableReplicas} available, ${replicas - updatedReplicas} old`,
  };
}

function replicaProgress(key: string, workload: Controlled): WorkloadProgress {
  const desired = workload.spec.replicas ?? 1;
  const { replicas = 0, availableReplicas = 0, terminatingReplicas = 0 } = workload.status ?? {};
  return {
    key,
    desired,
    terminating: terminatingReplicas,
    isComplete: isObserved(workload) && replicas === desired && availableReplicas === desired,
    summary: `${replicas} Pods, ${availableReplicas} of ${desired} available`,
  };
}

/** Pods below the partition, and all Pods with `OnDelete`, keep their revision. */
function reachedByUpdate({ spec }: StatefulSet): number {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  return type === "OnDelete" ? 0 : (spec.replicas ?? 1) - (rollingUpdate?.partition ?? 0);
}

function statefulProgress(key: string, set: StatefulSet): WorkloadProgress {
  const desired = set.spec.replicas ?? 1;
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = set.status ?? {};
  return {
    key,
    desired,
    isComplete:
      isObserved(set) &&
      replicas === desired &&
      availableReplicas === desired &&
      updatedReplicas >= reachedByUpdate(set),
    summary: `${updatedReplicas} of ${desired} updated, ${availableReplicas} available, ${replicas} Pods`,
  };
}

const isUpdatedByUsers = ({ spec }: DaemonSet) => spec.updateStrategy?.type === "OnDelete";

/** It has as many Pods as nodes should run one. */
function daemonProgress(key: string, set: DaemonSet): WorkloadProgress {
  const { desiredNumberScheduled: desired = 0, updatedNumberScheduled: updated = 0 } = set.status ?? {};
  const { numberAvailable: available = 0, numberMisscheduled: misscheduled = 0 } = set.status ?? {};
  return {
    key,
    desired,
    isComplete: isObserved(set) && (updated === desired || isUpdatedByUsers(set)) && available === desired,
    summary: `${updated} of ${desired} updated, ${available} available, ${misscheduled} on nodes that should have none`,
  };
}

function jobProgress(key: string, { spec, status = {} }: Job): WorkloadProgress {
  const { completions = 1, parallelism = 1 } = spec;
  const { succeeded = 0, failed = 0, active = 0 } = status;
  return {
    key,
    desired: Math.min(parallelism, Math.max(0, completions - succeeded)),
    isComplete: isConditionTrue(status.conditions, "Complete"),
    summary: `${succeeded} of ${completions} succeeded, ${active} active, ${failed} failed`,
  };
}
