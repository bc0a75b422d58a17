import type { Deployment, ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import { controllerOf } from "../../../src/api/owner-references.ts";
import { isActive, isReady, isTerminating } from "../../../src/api/pod-state.ts";
import { qualifiedName } from "../../../src/api/resource.ts";
import { deployments, pods, replicaSets } from "../../../src/api/resources.ts";
import type { ObservedCommit } from "../../../src/simulation/observation.ts";
import { podChangeIn } from "./stored.ts";

/** How many Pods a Deployment has. */
export interface PodCounts {
  readonly active: number;
  readonly terminating: number;
  /** Active and ready. */
  readonly ready: number;
}

/** A Deployment while it is checked: the invariant stops to apply to it once it is exempt. */
export interface CheckedDeployment {
  deployment: Deployment;
  isExempt: boolean;
}

export interface DeploymentChecks {
  /** A Deployment was created or written; `previous` is absent for a new one. */
  readonly written: (checked: CheckedDeployment, previous: Deployment | undefined) => void;
  /** One of its Pods changed. */
  readonly counted: (checked: CheckedDeployment, counts: PodCounts) => string | undefined;
}

/**
 * Counts the Pods of every Deployment at every change of one of them. A Deployment is exempt from the first moment in
 * which anything but its ReplicaSets deletes one of its Pods.
 */
export function checkDeploymentPods(
  checks: DeploymentChecks,
): (commit: ObservedCommit) => string | undefined {
  const checked = new Map<string, CheckedDeployment>();
  /** The UID of the Deployment of every ReplicaSet, by UID. */
  const deploymentOf = new Map<string, string>();
  const present = new Map<string, Pod>();

  const countPods = (uid: string): PodCounts => {
    const own = [...present.values()].filter((pod) => ownerOf(pod) === uid);
    const active = own.filter(isActive);
    return {
      active: active.length,
      terminating: own.filter(isTerminating).length,
      ready: active.filter(isReady).length,
    };
  };
  const ownerOf = (pod: Pod) => deploymentOf.get(controllerOf(pod)?.uid ?? "");

  const takeDeployment = ({ event: { type, record } }: ObservedCommit) => {
    const deployment = record.object as unknown as Deployment;
    const { uid } = deployment.metadata;
    const known = checked.get(uid);
    if (type === "DELETED") {
      checked.delete(uid);
      return;
    }
    const entry = known ?? { deployment, isExempt: false };
    const previous = known?.deployment;
    entry.deployment = deployment;
    checked.set(uid, entry);
    checks.written(entry, previous);
  };
  const takeReplicaSet = ({ event }: ObservedCommit) => {
    const replicaSet = event.record.object as unknown as ReplicaSet;
    deploymentOf.set(replicaSet.metadata.uid, controllerOf(replicaSet)?.uid ?? "");
  };
  const takePod = ({ event, by }: ObservedCommit): string | undefined => {
    const { pod, was } = podChangeIn(event);
    if (event.type === "DELETED") present.delete(pod.metadata.uid);
    else present.set(pod.metadata.uid, pod);
    const entry = checked.get(ownerOf(pod) ?? "");
    if (entry === undefined) return undefined;
    if (isDeletion(pod, was) && by?.component !== "replicaset") entry.isExempt = true;
    return entry.isExempt ? undefined : checks.counted(entry, countPods(entry.deployment.metadata.uid));
  };

  return (commit) => {
    switch (commit.collection) {
      case qualifiedName(deployments):
        takeDeployment(commit);
        return undefined;
      case qualifiedName(replicaSets):
        takeReplicaSet(commit);
        return undefined;
      case qualifiedName(pods):
        return takePod(commit);
      default:
        return undefined;
    }
  };
}

/** Whether a Pod begins to be deleted; the kubelet later removes it. */
function isDeletion(pod: Pod, was: Pod | undefined): boolean {
  return pod.metadata.deletionTimestamp !== undefined && was?.metadata.deletionTimestamp === undefined;
}
