import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import type { Instant } from "../api/time.ts";
import { isUnasked } from "../decisions/stock/admitted-shrink.ts";
import { modeOf, wishesOf } from "../decisions/stock/wish.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import { deploymentNameOf, watchedDeployment } from "./admission/find-workload.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { tellBoth } from "./unfulfilled.ts";

interface Missed {
  readonly from: number;
  readonly to: number;
  readonly at: Instant;
}

/** A copy that hangs or dies loses the Lease; the copy that leads then still reports them. */
const untoldMs = 60_000;

/** The controllers that notice scale-downs which steer was not asked about, and say so. */
export interface MissedShrinks {
  /** Every copy notices: the one that leads may be the one that did not answer. */
  readonly noticing: ControllerSpec;
  readonly telling: ControllerSpec;
}

/**
 * Notice ReplicaSets that have shrunk without our having been asked: the API server lets requests pass when no copy
 * answers. Only those of Deployments, whose controller does not scale through `/scale`, where nothing can be labelled.
 */
export function missedShrinks(deps: SteeringDependencies): MissedShrinks {
  const { replicaSets, namespaces, memory, clock } = deps;
  const missed = new Map<string, Missed>();
  let noticed: (key: string) => void = () => undefined;
  const isSteered = (replicaSet: ReplicaSet): boolean => {
    const labels = namespaces.get(replicaSet.metadata.namespace ?? "")?.metadata.labels;
    const deployment = watchedDeployment(replicaSet, deps);
    const wishes = wishesOf(deployment ?? replicaSet, labels);
    if (modeOf(wishes, deps.mode) !== "enforce") return false;
    return deploymentNameOf(replicaSet) !== undefined && wishesOf(replicaSet, labels).steersRemovals;
  };
  const look = (before: ReplicaSet, now: ReplicaSet) => {
    const key = keyOf(now);
    // A decision that is still open was made for a Scale, or its copy is this one.
    if (!isUnasked(before, now) || !isSteered(before) || memory.open(key) !== undefined) return;
    missed.set(key, { from: before.spec.replicas ?? 1, to: now.spec.replicas ?? 1, at: clock.now() });
    for (const [other, { at }] of missed) if (clock.now() - at > untoldMs) missed.delete(other);
    noticed(key);
  };
  return {
    noticing: {
      name: "steering-missed-noticed",
      workers: 1,
      watches: [watching(replicaSets, () => ({ updated: look }))],
      reconcile: () => Promise.resolve(done),
    },
    telling: {
      name: "steering-missed",
      workers: 1,
      watches: [
        {
          synced: (signal) => replicaSets.synced(signal),
          start(queue) {
            noticed = (key) => queue.add(key);
            [...missed.keys()].forEach(noticed);
            return () => void (noticed = () => undefined);
          },
        },
      ],
      reconcile(key) {
        const shrink = missed.get(key);
        const replicaSet = replicaSets.get(key);
        missed.delete(key);
        if (shrink !== undefined && replicaSet !== undefined && clock.now() - shrink.at <= untoldMs)
          tell(replicaSet, shrink, deps);
        return Promise.resolve(done);
      },
    },
  };
}

function tell(replicaSet: ReplicaSet, { from, to }: Missed, deps: SteeringDependencies): void {
  const deployment = watchedDeployment(replicaSet, deps);
  deps.metrics.unfulfilled.increase({ cause: "NotAsked" });
  const message = `Scaled down from ${from} to ${to} without trimtab steer having been asked: the pods went by the cluster's own order`;
  tellBoth({ replicaSet, deployment }, { type: "Warning", reason: "ScaleDownMissed", message }, deps);
}
