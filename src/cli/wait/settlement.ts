import { findCondition } from "../../api/conditions.ts";
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isTerminating } from "../../api/pod-state.ts";

/** A workload whose rollout can be waited for. */
export type Workload =
  | { readonly kind: "Deployment"; readonly object: Deployment }
  | { readonly kind: "ReplicaSet"; readonly object: ReplicaSet }
  | { readonly kind: "StatefulSet"; readonly object: StatefulSet }
  | { readonly kind: "DaemonSet"; readonly object: DaemonSet };

/** Whether a workload has settled, what it waits for, or why it will not settle by itself. */
export type Settlement =
  | { readonly state: "settled" }
  | { readonly state: "waiting"; readonly for: string }
  | { readonly state: "failed"; readonly because: string };

const settled: Settlement = { state: "settled" };
const waitingFor = (what: string): Settlement => ({ state: "waiting", for: what });

/**
 * Whether a workload is rolled out, as `kubectl rollout status` sees it, and, where its Pods are given, whether none of
 * them is terminating any more.
 */
export function settlementOf(workload: Workload, pods: readonly Pod[] | undefined): Settlement {
  const { metadata, status } = workload.object;
  if (Number(status?.observedGeneration ?? 0) < Number(metadata.generation ?? 0))
    return waitingFor("its controller to see the newest generation");
  const rollout = rolloutOf(workload);
  if (rollout.state !== "settled" || pods === undefined) return rollout;
  const terminating = pods.filter(isTerminating).map((pod) => pod.metadata.name);
  return terminating.length === 0 ? settled : waitingFor(terminatingText(terminating));
}

function rolloutOf(workload: Workload): Settlement {
  switch (workload.kind) {
    case "Deployment":
      return deploymentRollout(workload.object);
    case "ReplicaSet":
      return replicaSetRollout(workload.object);
    case "StatefulSet":
      return statefulSetRollout(workload.object);
    case "DaemonSet":
      return daemonSetRollout(workload.object);
  }
}

function deploymentRollout({ spec, status = {} }: Deployment): Settlement {
  const progressing = findCondition(status.conditions, "Progressing");
  if (progressing?.reason === "ProgressDeadlineExceeded")
    return { state: "failed", because: "it exceeded its progress deadline" };
  const wanted = spec?.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  if (updatedReplicas < wanted && spec?.paused === true)
    return waitingFor("somebody to resume it: it is paused");
  if (updatedReplicas < wanted) return waitingFor(counted(updatedReplicas, wanted, "updated"));
  if (replicas > updatedReplicas) return waitingFor(`${podCount(replicas - updatedReplicas)} too many to go`);
  return availableReplicas < wanted ? waitingFor(counted(availableReplicas, wanted, "available")) : settled;
}

function replicaSetRollout({ spec, status }: ReplicaSet): Settlement {
  const wanted = spec?.replicas ?? 1;
  const { replicas = 0, availableReplicas = 0 } = status ?? {};
  if (replicas > wanted) return waitingFor(`${podCount(replicas - wanted)} too many to go`);
  return availableReplicas < wanted ? waitingFor(counted(availableReplicas, wanted, "available")) : settled;
}

function statefulSetRollout({ spec, status }: StatefulSet): Settlement {
  const wanted = spec?.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = status ?? {};
  if (replicas > wanted) return waitingFor(`${podCount(replicas - wanted)} too many to go`);
  if (readyReplicas < wanted) return waitingFor(counted(readyReplicas, wanted, "ready"));
  if (spec?.updateStrategy?.type === "OnDelete") return settled;
  const held = Math.min(spec?.updateStrategy?.rollingUpdate?.partition ?? 0, wanted);
  const due = status?.updateRevision === status?.currentRevision ? 0 : wanted - held;
  return updatedReplicas < due ? waitingFor(counted(updatedReplicas, due, "updated")) : settled;
}

function daemonSetRollout({ spec, status }: DaemonSet): Settlement {
  const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status ?? {};
  if (spec?.updateStrategy?.type !== "OnDelete" && updatedNumberScheduled < desiredNumberScheduled)
    return waitingFor(counted(updatedNumberScheduled, desiredNumberScheduled, "updated"));
  return numberAvailable < desiredNumberScheduled
    ? waitingFor(counted(numberAvailable, desiredNumberScheduled, "available"))
    : settled;
}

const counted = (count: number, wanted: number, what: string) => `${count} of ${podCount(wanted)} ${what}`;
const podCount = (count: number) => `${count} Pod${count === 1 ? "" : "s"}`;

const mostNames = 3;

function terminatingText(names: readonly string[]): string {
  const sorted = names.toSorted();
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return `${podCount(names.length)} still terminating: ${sorted.slice(0, mostNames).join(", ")}${more}`;
}
