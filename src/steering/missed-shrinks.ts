import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { isUnasked } from "../decisions/stock/admitted-shrink.ts";
import { modeOf, wishesOf } from "../decisions/stock/wish.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import { deploymentNameOf, watchedDeployment } from "./admission/find-workload.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { tellBoth } from "./unfulfilled.ts";

/**
 * Says of ReplicaSets that have shrunk without our having been asked: the API server lets requests pass when no copy
 * answers. Only those of Deployments, whose controller does not scale through `/scale`, where nothing can be labelled.
 */
export function missedShrinksController(deps: SteeringDependencies): ControllerSpec {
  const { replicaSets, namespaces, memory } = deps;
  const missed = new Map<string, { readonly from: number; readonly to: number }>();
  const isSteered = (replicaSet: ReplicaSet): boolean => {
    const labels = namespaces.get(replicaSet.metadata.namespace ?? "")?.metadata.labels;
    const deployment = watchedDeployment(replicaSet, deps);
    const wishes = wishesOf(deployment ?? replicaSet, labels);
    if (modeOf(wishes, deps.mode) !== "enforce") return false;
    return deploymentNameOf(replicaSet) !== undefined && wishesOf(replicaSet, labels).steersRemovals;
  };
  return {
    name: "steering-missed",
    workers: 1,
    watches: [
      watching(replicaSets, (queue) => ({
        updated: (before, now) => {
          const key = keyOf(now);
          // A decision that is still open was made for a Scale, or its copy is this one.
          if (!isUnasked(before, now) || !isSteered(before) || memory.open(key) !== undefined) return;
          missed.set(key, { from: before.spec.replicas ?? 1, to: now.spec.replicas ?? 1 });
          queue.add(key);
        },
      })),
    ],
    reconcile(key) {
      const shrink = missed.get(key);
      const replicaSet = replicaSets.get(key);
      missed.delete(key);
      if (shrink === undefined || replicaSet === undefined) return Promise.resolve(done);
      const deployment = watchedDeployment(replicaSet, deps);
      deps.metrics.unfulfilled.increase({ cause: "NotAsked" });
      const message = `Scaled down from ${shrink.from} to ${shrink.to} without trimtab steer having been asked: the pods went by the cluster's own order`;
      tellBoth({ replicaSet, deployment }, { type: "Warning", reason: "ScaleDownMissed", message }, deps);
      return Promise.resolve(done);
    },
  };
}
