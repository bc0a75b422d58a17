import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { keyOf } from "../api/object.ts";
import { controllerOf, isControlledBy } from "../api/owner-references.ts";
import { isActive } from "../api/pod-state.ts";
import { replicaSets as replicaSetResource } from "../api/resources.ts";
import type { DecidedPod } from "../decisions/downscale/reason.ts";
import { countOf } from "../decisions/rollout/counts.ts";
import { podNames } from "../decisions/explain/steering-summary.ts";
import { hasShrunk } from "../decisions/stock/mark.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import { referenceTo } from "../machinery/events/event-draft.ts";
import type { SteeredRemoval } from "./decision-memory.ts";
import type { SteeringDependencies } from "./dependencies.ts";

/** Compares the Pods that were removed with the decision; runs in the copy that has decided. */
export function checkRemovalsController(deps: SteeringDependencies): ControllerSpec {
  const { pods, replicaSets, memory } = deps;
  return {
    name: "steering-checks",
    workers: 1,
    watches: [
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => {
          const owner = controllerOf(pod);
          const key = `${pod.metadata.namespace ?? ""}/${owner?.name ?? ""}`;
          if (owner?.kind === "ReplicaSet" && memory.open(key) !== undefined) queue.add(key);
        };
        return { updated: (_, pod) => enqueue(pod), deleted: enqueue };
      }),
      watching(replicaSets, (queue) => {
        const enqueue = (replicaSet: ReplicaSet) => {
          if (memory.open(keyOf(replicaSet)) !== undefined) queue.add(keyOf(replicaSet));
        };
        return { updated: (_, replicaSet) => enqueue(replicaSet), deleted: enqueue };
      }),
    ],
    reconcile(key) {
      const removal = memory.open(key);
      const replicaSet = replicaSets.get(key);
      if (removal !== undefined) check(removal, replicaSet, deps);
      return Promise.resolve(done);
    },
  };
}

function check(
  removal: SteeredRemoval,
  replicaSet: ReplicaSet | undefined,
  { pods, memory, metrics, events }: SteeringDependencies,
): void {
  const key = keyOf(removal.replicaSet);
  const { uid } = removal.replicaSet.metadata;
  if (replicaSet?.metadata.uid !== uid) return memory.forget(key, removal.id);
  // Most events come long before: they must not cost a look at every Pod.
  if (!hasShrunk(replicaSet, removal.generation, 0)) return;
  const isThere = ({ pod }: DecidedPod): boolean => {
    const known = pods.get(keyOf(pod));
    return known?.metadata.uid === pod.metadata.uid && isActive(known) && isControlledBy(known, uid);
  };
  const { victims, survivors } = removal.choice;
  const left = [...victims, ...survivors].filter(isThere);
  if (!hasShrunk(replicaSet, removal.generation, left.length)) return;
  memory.forget(key, removal.id);
  const isSpared = victims.some(isThere);
  const isMissed = !survivors.every(isThere);
  // Its size was changed again since: then fewer victims go, or more Pods than these, but not one instead of the other.
  const hasMovedOn = countOf(replicaSet.metadata.generation) > removal.generation;
  if (hasMovedOn ? !(isSpared && isMissed) : !isSpared && !isMissed) return;
  metrics.mismatches.increase({});
  const namesOf = (decided: readonly DecidedPod[]) => podNames(decided.map(({ pod }) => pod.metadata.name));
  const removed = [...victims, ...survivors].filter((each) => !left.includes(each));
  events.record({
    regarding: referenceTo(replicaSetResource, replicaSet),
    type: "Warning",
    reason: "ScaleDownDiffers",
    message: `Other pods than decided were removed: decided ${namesOf(victims)}; removed ${namesOf(removed)}`,
  });
}
