import { findCondition } from "../../api/conditions.ts";
import type {
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
  StatefulSetSpec,
} from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isTerminating } from "../../api/pod-state.ts";

/** A workload whose rollout can be waited for. */
export type AwaitedWorkload =
  | { readonly kind: "Deployment"; readonly object: Deployment }
  | { readonly kind: "ReplicaSet"; readonly object: ReplicaSet }
  | { readonly kind: "StatefulSet"; readonly object: StatefulSet }
  | { readonly kind: "DaemonSet"; readonly object: DaemonSet };

/** Whether a workload has settled, what it waits for, or why it will not settle by itself. */
export type RolloutSettlement =
  | { readonly state: "settled" }
  | { readonly state: "waiting"; readonly for: string }
  | { readonly state: "failed"; readonly because: string };

const settled: RolloutSettlement = { state: "settled" };
const waitingFor = (what: string): RolloutSettlement => ({ state: "waiting", for: what });

/**
 * Whether a workload is rolled out, as `kubectl rollout status` sees it, and, where its Pods are given, whether none of
 * them is terminating any more.
 */
export function settlementOf(workload: AwaitedWorkload, pods: readonly Pod[] | undefined): RolloutSettlement {
  const { metadata, status } = workload.object;
  if (countOf(status?.observedGeneration) < countOf(metadata.generation))
    return waitingFor("its controller to see the newest generation");
  const rollout = rolloutOf(workload);
  if (rollout.state !== "settled" || pods === undefined) return rollout;
  const terminating = pods.filter(isTerminating).map((pod) => pod.metadata.name);
  return terminating.length === 0 ? settled : waitingFor(terminatingText(terminating));
}

function rolloutOf(workload: AwaitedWorkload): RolloutSettlement {
  switch (workload.kind) {
    case "Deployment":
      return deploymentRollout(workload.object);
    case "ReplicaSet":
      return untilCounted(replicaSetCounts(workload.object));
    case "StatefulSet":
      return untilCounted(statefulSetCounts(workload.object));
    case "DaemonSet":
      return untilCounted(daemonSetCounts(workload.object));
  }
}

/** A number of Pods that a workload reports, and what it has to be: at least that many, or at most for those too many. */
interface Count {
  readonly of: "updated" | "ready" | "available" | "too many";
  readonly have: number | undefined;
  readonly wanted: number;
}

/** Waits for the first count that is not as it has to be. */
function untilCounted(counts: readonly Count[]): RolloutSettlement {
  const pending = counts.find(({ of, have, wanted }) =>
    of === "too many" ? countOf(have) > wanted : countOf(have) < wanted,
  );
  if (pending === undefined) return settled;
  const have = countOf(pending.have);
  return pending.of === "too many"
    ? waitingFor(`${podCount(have - pending.wanted)} too many to go`)
    : waitingFor(`${have} of ${podCount(pending.wanted)} ${pending.of}`);
}

function deploymentRollout({ spec, status }: Deployment): RolloutSettlement {
  if (findCondition(status?.conditions, "Progressing")?.reason === "ProgressDeadlineExceeded")
    return { state: "failed", because: "it exceeded its progress deadline" };
  const [wanted, updated] = [sizeOf(spec), countOf(status?.updatedReplicas)];
  if (updated < wanted && spec?.paused === true) return waitingFor("somebody to resume it: it is paused");
  return untilCounted([
    { of: "updated", have: updated, wanted },
    { of: "too many", have: status?.replicas, wanted: updated },
    { of: "available", have: status?.availableReplicas, wanted },
  ]);
}

function replicaSetCounts({ spec, status }: ReplicaSet): readonly Count[] {
  const wanted = sizeOf(spec);
  return [
    { of: "too many", have: status?.replicas, wanted },
    { of: "available", have: status?.availableReplicas, wanted },
  ];
}

function statefulSetCounts({ spec, status }: StatefulSet): readonly Count[] {
  const wanted = sizeOf(spec);
  const isUpdating = status?.updateRevision !== status?.currentRevision;
  return [
    { of: "too many", have: status?.replicas, wanted },
    { of: "ready", have: status?.readyReplicas, wanted },
    { of: "updated", have: status?.updatedReplicas, wanted: isUpdating ? updatedOrdinals(spec) : 0 },
  ];
}

/** How many ordinals an update reaches by itself. */
function updatedOrdinals(spec: StatefulSetSpec | undefined): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type === "OnDelete" ? 0 : Math.max(sizeOf(spec) - countOf(rollingUpdate?.partition), 0);
}

function daemonSetCounts({ spec, status }: DaemonSet): readonly Count[] {
  const wanted = countOf(status?.desiredNumberScheduled);
  const isUpdated = spec?.updateStrategy?.type !== "OnDelete";
  return [
    { of: "updated", have: status?.updatedNumberScheduled, wanted: isUpdated ? wanted : 0 },
    { of: "available", have: status?.numberAvailable, wanted },
  ];
}

const countOf = (count: number | undefined) => count ?? 0;
const sizeOf = (spec: { readonly replicas?: number } | undefined) => spec?.replicas ?? 1;
const podCount = (count: number) => `${count} Pod${count === 1 ? "" : "s"}`;

const mostNames = 3;

function terminatingText(names: readonly string[]): string {
  const sorted = names.toSorted();
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return `${podCount(names.length)} still terminating: ${sorted.slice(0, mostNames).join(", ")}${more}`;
}
