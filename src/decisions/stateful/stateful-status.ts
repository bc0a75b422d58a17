import { deepEqual } from "../../api/deep-equal.ts";
import type { StatefulSet, StatefulSetStatus } from "../../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isAvailable } from "../../api/pod-state.ts";
import { isRunningAndReady, revisionOfPod } from "./pod-health.ts";
import { allMembers, type StatefulView } from "./view.ts";

interface Counts {
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  readonly current: number;
  readonly updated: number;
}

/** The status of a set after a pass that has deleted this many Pods to replace them by others. */
export function statefulStatus(view: StatefulView, replaced: number): StatefulSetStatus {
  const { set, revisions } = view;
  const counted = countPods(view);
  // Pods of a third revision are replaced too, and the count of the current one must not become negative.
  const counts = { ...counted, current: Math.max(0, counted.current - replaced) };
  const isCompleted = isUpdateCompleted(view, counts);
  const { generation } = set.metadata;
  const current = isCompleted ? counts.updated : counts.current;
  // Kubernetes stores these counts only if they are not 0, and the other two always.
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    replicas: counts.replicas,
    ...(counts.ready > 0 && { readyReplicas: counts.ready }),
    ...(current > 0 && { currentReplicas: current }),
    ...(counts.updated > 0 && { updatedReplicas: counts.updated }),
    currentRevision: isCompleted ? revisions.update.name : revisions.current.name,
    updateRevision: updateRevisionOf(view),
    collisionCount: revisions.collisionCount,
    availableReplicas: counts.available,
  };
}

/** A set that is being deleted gets no new revision. */
function updateRevisionOf({ set, revisions: { action, update } }: StatefulView): string {
  const isNeverCreated = isBeingDeleted(set) && action?.kind === "create-revision";
  return isNeverCreated ? (set.status?.updateRevision ?? update.name) : update.name;
}

function countPods(view: StatefulView): Counts {
  const { minReadySeconds, now } = view.availability;
  const { current: currentRevision, update } = view.revisions;
  let [replicas, ready, available, current, updated] = [0, 0, 0, 0, 0];
  for (const { pod } of allMembers(view)) {
    if (pod.status?.phase === undefined) continue;
    replicas++;
    if (isRunningAndReady(pod)) {
      ready++;
      if (isAvailable(pod, minReadySeconds, now)) available++;
    }
    if (isBeingDeleted(pod)) continue;
    const revision = revisionOfPod(pod);
    if (revision === currentRevision.name) current++;
    if (revision === update.name) updated++;
  }
  return { replicas, ready, available, current, updated };
}

/** Whether all Pods are at the new revision and ready, which makes it the current one. */
function isUpdateCompleted({ set, range }: StatefulView, { replicas, ready, updated }: Counts): boolean {
  const isRolling = set.spec.updateStrategy?.type === "RollingUpdate";
  return isRolling && [ready, updated, range.replicas].every((count) => count === replicas);
}

/** Whether a status says what the stored one says. A collision alone, and conditions, are no reason to write it. */
export function isStatefulStatusStored({ status }: StatefulSet, next: StatefulSetStatus): boolean {
  if ((next.observedGeneration ?? 0) > (status?.observedGeneration ?? 0)) return false;
  return deepEqual(comparedFields(status), comparedFields(next));
}

const compared = [
  "replicas",
  "readyReplicas",
  "availableReplicas",
  "currentReplicas",
  "updatedReplicas",
  "currentRevision",
  "updateRevision",
] as const;

function comparedFields(status: StatefulSetStatus | undefined): readonly unknown[] {
  return compared.map((field) => status?.[field] || undefined);
}
