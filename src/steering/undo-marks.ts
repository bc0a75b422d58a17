import type { Pod } from "../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../api/object.ts";
import { controllerOf } from "../api/owner-references.ts";
import { isActive } from "../api/pod-state.ts";
import { pods as podResource } from "../api/resources.ts";
import type { Instant } from "../api/time.ts";
import { hasMarkAnnotations, markOf } from "../decisions/stock/mark.ts";
import { unmarkPatch } from "../decisions/stock/mark-patch.ts";
import { hasShrunk } from "../decisions/stock/settled.ts";
import { countOf } from "../decisions/rollout/counts.ts";
import { isInvalid, isNotFound } from "../machinery/client/api-error.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../machinery/controller.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import { withSameController } from "../machinery/ownership/owner-index.ts";
import type { SteeringDependencies } from "./dependencies.ts";

/** A ReplicaSet that was to shrink and has not by then was refused after we had admitted it. */
const patienceMs = 30_000;

/**
 * Takes marks away once the ReplicaSet has removed its Pods, or when it never shrinks. At the start every mark there is
 * counts as new: none outlives a restart for long.
 */
export function undoMarksController(deps: SteeringDependencies): ControllerSpec {
  const { pods, replicaSets, clock, client, metrics } = deps;
  pods.addIndex(byMarkedOwner, (pod) => (hasMarkAnnotations(pod) ? [ownerKeyOf(pod)] : []));
  /** When marks of a decision were seen first, by the key of the ReplicaSet. */
  const firstSeen = new Map<string, { readonly decision: string; readonly at: Instant }>();

  const isDue = (pod: Pod, key: string, activeOf: (uid: string) => number): boolean => {
    const mark = markOf(pod);
    const replicaSet = replicaSets.get(key);
    // Annotations that are not ours, Pods that have no ReplicaSet any more.
    if (mark === undefined || replicaSet?.metadata.uid !== controllerOf(pod)?.uid) return true;
    if (replicaSet === undefined) return true;
    if (hasShrunk(replicaSet, mark.generation, activeOf(replicaSet.metadata.uid))) return true;
    const hasChanged = countOf(replicaSet.metadata.generation) >= mark.generation;
    return !hasChanged && dueAt(key, mark.decision) <= clock.now();
  };
  const dueAt = (key: string, decision: string): Instant => {
    const seen = firstSeen.get(key);
    const at = seen?.decision === decision ? seen.at : clock.now();
    firstSeen.set(key, { decision, at });
    return at + patienceMs;
  };
  const undo = async (pod: Pod, signal: AbortSignal): Promise<void> => {
    const operations = unmarkPatch(pod);
    if (operations === undefined) return;
    try {
      await client.patch(podResource, pod.metadata, { type: "json", operations, signal });
      metrics.marks.increase({ what: "undone" });
    } catch (error) {
      // Changed meanwhile, which its next event tells; or gone.
      if (!isInvalid(error) && !isNotFound(error)) throw error;
    }
  };

  return {
    name: "steering-marks",
    workers: 4,
    watches: [
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => enqueueMarked(pod, pods, queue);
        return { added: enqueue, updated: (_, pod) => enqueue(pod), deleted: enqueue };
      }),
      watching(replicaSets, (queue) => {
        const enqueue = (object: { readonly metadata: Pod["metadata"] }) => {
          const key = keyOf(object);
          if (pods.byIndex(byMarkedOwner, key).length > 0) queue.add(key);
        };
        return { updated: (_, object) => enqueue(object), deleted: enqueue };
      }),
    ],
    async reconcile(key, signal) {
      const marked = pods.byIndex(byMarkedOwner, key).filter((pod) => !isBeingDeleted(pod));
      if (marked.length === 0) {
        firstSeen.delete(key);
        return done;
      }
      const active = countByController(pods, marked);
      const due = marked.filter((pod) => isDue(pod, key, active));
      for (let from = 0; from < due.length; from += atATime)
        await Promise.all(due.slice(from, from + atATime).map((pod) => undo(pod, signal)));
      if (due.length === marked.length) return done;
      const seen = firstSeen.get(key);
      return { requeueAfterMs: Math.max((seen?.at ?? clock.now()) + patienceMs - clock.now(), 1000) };
    },
  };
}

const atATime = 50;
const byMarkedOwner = "steering-marked";

/** The key of the ReplicaSet of a Pod; of Pods without one, that of their namespace. */
function ownerKeyOf(pod: Pod): string {
  const owner = controllerOf(pod);
  const { namespace = "" } = pod.metadata;
  return owner?.kind === "ReplicaSet" ? `${namespace}/${owner.name}` : `${namespace}/`;
}

/** Any change of a ReplicaSet's Pods may be the one that its marks wait for. */
function enqueueMarked(pod: Pod, pods: Informer<Pod>, queue: KeyQueue): void {
  const key = ownerKeyOf(pod);
  if (hasMarkAnnotations(pod) || pods.byIndex(byMarkedOwner, key).length > 0) queue.add(key);
}

/** The numbers of active Pods of the ReplicaSets of these Pods; each is counted once. */
function countByController(pods: Informer<Pod>, some: readonly Pod[]): (uid: string) => number {
  const counts = new Map<string, number>();
  for (const pod of some) {
    const uid = controllerOf(pod)?.uid;
    if (uid !== undefined && !counts.has(uid))
      counts.set(uid, withSameController(pods, pod).filter(isActive).length);
  }
  return (uid) => counts.get(uid) ?? 0;
}
