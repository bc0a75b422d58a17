import type { Pod } from "../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../api/object.ts";
import { controllerOf } from "../api/owner-references.ts";
import { isActive } from "../api/pod-state.ts";
import { replicaSets as replicaSetResource } from "../api/resources.ts";
import type { Instant } from "../api/time.ts";
import { deferredText } from "../decisions/stock/deferred-shrink.ts";
import { hasMarkAnnotations, markOf, hasShrunk } from "../decisions/stock/mark.ts";
import { countOf } from "../decisions/rollout/counts.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../machinery/controller.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import { withSameController } from "../machinery/ownership/owner-index.ts";
import { referenceTo } from "../machinery/events/event-draft.ts";
import { type WriteFailure, writeFailureOf, writeFailureText } from "./admission/write-failure.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { unmarkPod } from "./unmark-pod.ts";

/** A ReplicaSet that was to shrink and has not by then was refused after we had admitted it. */
const patienceMs = 30_000;

/**
 * Takes marks away once the ReplicaSet has removed its Pods, or when it never shrinks. At the start every mark there is
 * counts as new: none outlives a restart for long.
 */
export function undoMarksController(deps: SteeringDependencies): ControllerSpec {
  const { pods, replicaSets, clock, client, metrics } = deps;
  pods.addIndex(byMarkedOwner, (pod) => (hasMarkAnnotations(pod) ? [ownerKeyOf(pod)] : []));
  /** When the marks of decisions were seen first, by the key of the ReplicaSet. */
  const firstSeen = new Map<string, Map<string, Instant>>();

  const isDue = (pod: Pod, key: string, activeOf: (pod: Pod) => number): boolean => {
    const mark = markOf(pod);
    const replicaSet = replicaSets.get(key);
    // Annotations that are not ours, Pods that have no ReplicaSet any more.
    if (mark === undefined || replicaSet?.metadata.uid !== controllerOf(pod)?.uid) return true;
    if (replicaSet === undefined) return true;
    // They wait for the shrink that they were written for, or are of an earlier one: then its decision removes them.
    if (deferredText(replicaSet) !== undefined) return false;
    // Most events come long before: only then are the Pods counted.
    const mayHave = hasShrunk(replicaSet, mark.generation, 0);
    if (mayHave && hasShrunk(replicaSet, mark.generation, activeOf(pod))) return true;
    const hasChanged = countOf(replicaSet.metadata.generation) >= mark.generation;
    return !hasChanged && dueAt(key, mark.decision) <= clock.now();
  };
  const dueAt = (key: string, decision: string): Instant => {
    const seen = firstSeen.get(key) ?? new Map<string, Instant>();
    const at = seen.get(decision) ?? clock.now();
    firstSeen.set(key, seen.set(decision, at));
    return at + patienceMs;
  };
  const undo = async (pod: Pod, signal: AbortSignal): Promise<void> => {
    try {
      const { kind } = await unmarkPod(client, pod, signal);
      if (kind === "removed") metrics.marks.increase({ what: "undone" });
    } catch (error) {
      tellKept(pod, writeFailureOf(error, signal), deps);
      throw error;
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
      const active = countOnce(pods);
      const due = marked.filter((pod) => isDue(pod, key, active));
      for (let from = 0; from < due.length; from += atATime)
        await Promise.all(due.slice(from, from + atATime).map((pod) => undo(pod, signal)));
      if (due.length === marked.length) return done;
      const oldest = Math.min(clock.now(), ...(firstSeen.get(key)?.values() ?? []));
      return { requeueAfterMs: Math.max(oldest + patienceMs - clock.now(), 1000) };
    },
  };
}

/** Says of a mark that cannot be removed who keeps it; it is tried again. */
function tellKept(pod: Pod, failure: WriteFailure, { replicaSets, events }: SteeringDependencies): void {
  const replicaSet = replicaSets.get(ownerKeyOf(pod));
  if (replicaSet === undefined || (failure.cause !== "Denied" && failure.cause !== "Forbidden")) return;
  events.record({
    regarding: referenceTo(replicaSetResource, replicaSet),
    type: "Warning",
    reason: "MarkNotUndone",
    message: `A pod keeps its mark: ${writeFailureText(failure)}`,
  });
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

/** Counts the active Pods of the ReplicaSet of a Pod, once for each ReplicaSet. */
function countOnce(pods: Informer<Pod>): (pod: Pod) => number {
  const counts = new Map<string, number>();
  return (pod) => {
    const uid = controllerOf(pod)?.uid ?? "";
    const known = counts.get(uid) ?? withSameController(pods, pod).filter(isActive).length;
    counts.set(uid, known);
    return known;
  };
}
