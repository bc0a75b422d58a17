import { failure } from "../command-failure.ts";
import type { JsonObject } from "../../api/json.ts";
import { at, listAt, numberAt, textAt } from "../selection/kube-object.ts";

/** How far a rollout is, in a sentence. */
export interface RolloutStatus {
  readonly text: string;
  readonly isDone: boolean;
}

const waiting = (text: string): RolloutStatus => ({ text, isDone: false });
const done = (text: string): RolloutStatus => ({ text, isDone: true });

/** The status of a rollout; throws for a kind that has none, and for one that cannot succeed any more. */
export function rolloutStatusText(object: JsonObject, kind: string): RolloutStatus {
  switch (kind) {
    case "Deployment":
      return deploymentStatus(object);
    case "DaemonSet":
      return daemonSetStatus(object);
    case "StatefulSet":
      return statefulSetStatus(object);
    default:
      throw failure(`no status viewer has been implemented for ${kind}`);
  }
}

const nameOf = (object: JsonObject) => JSON.stringify(textAt(object, "metadata", "name"));
const status = (object: JsonObject, name: string) => numberAt(object, "status", name) ?? 0;
const isObserved = (object: JsonObject) =>
  (numberAt(object, "metadata", "generation") ?? 0) <= status(object, "observedGeneration");

function deploymentStatus(object: JsonObject): RolloutStatus {
  const name = nameOf(object);
  if (!isObserved(object)) return waiting("Waiting for deployment spec update to be observed...");
  const progressing = listAt(object, "status", "conditions").find(({ type }) => type === "Progressing");
  if (textAt(progressing, "reason") === "ProgressDeadlineExceeded")
    throw failure(`deployment ${name} exceeded its progress deadline`);
  const wanted = numberAt(object, "spec", "replicas") ?? 0;
  const [all, updated, available] = [
    status(object, "replicas"),
    status(object, "updatedReplicas"),
    status(object, "availableReplicas"),
  ];
  const start = `Waiting for deployment ${name} rollout to finish:`;
  if (updated < wanted)
    return waiting(`${start} ${updated} out of ${wanted} new replicas have been updated...`);
  if (all > updated) return waiting(`${start} ${all - updated} old replicas are pending termination...`);
  if (available < updated)
    return waiting(`${start} ${available} of ${updated} updated replicas are available...`);
  return done(`deployment ${name} successfully rolled out`);
}

function requireRolling(object: JsonObject): void {
  if (textAt(object, "spec", "updateStrategy", "type") !== "RollingUpdate")
    throw failure("rollout status is only available for RollingUpdate strategy type");
}

function daemonSetStatus(object: JsonObject): RolloutStatus {
  requireRolling(object);
  const name = nameOf(object);
  if (!isObserved(object)) return waiting("Waiting for daemon set spec update to be observed...");
  const [wanted, updated, available] = [
    status(object, "desiredNumberScheduled"),
    status(object, "updatedNumberScheduled"),
    status(object, "numberAvailable"),
  ];
  const start = `Waiting for daemon set ${name} rollout to finish:`;
  if (updated < wanted) return waiting(`${start} ${updated} out of ${wanted} new pods have been updated...`);
  if (available < wanted) return waiting(`${start} ${available} of ${wanted} updated pods are available...`);
  return done(`daemon set ${name} successfully rolled out`);
}

function statefulSetStatus(object: JsonObject): RolloutStatus {
  requireRolling(object);
  const wanted = numberAt(object, "spec", "replicas");
  if (status(object, "observedGeneration") === 0 || !isObserved(object))
    return waiting("Waiting for statefulset spec update to be observed...");
  const [ready, updated] = [status(object, "readyReplicas"), status(object, "updatedReplicas")];
  if (wanted !== undefined && ready < wanted)
    return waiting(`Waiting for ${wanted - ready} pods to be ready...`);
  const partition = numberAt(object, "spec", "updateStrategy", "rollingUpdate", "partition");
  if (partition !== undefined && wanted !== undefined) return partitionStatus({ partition, wanted, updated });
  const [current, update] = [
    textAt(object, "status", "currentRevision"),
    textAt(object, "status", "updateRevision"),
  ];
  if (current !== update)
    return waiting(
      `waiting for statefulset rolling update to complete ${updated} pods at revision ${update}...`,
    );
  return done(
    `statefulset rolling update complete ${status(object, "currentReplicas")} pods at revision ${current}...`,
  );
}

function partitionStatus({
  partition,
  wanted,
  updated,
}: Readonly<Record<"partition" | "wanted" | "updated", number>>): RolloutStatus {
  if (updated < wanted - partition)
    return waiting(
      `Waiting for partitioned roll out to finish: ${updated} out of ${wanted - partition} new pods have been updated...`,
    );
  return done(`partitioned roll out complete: ${updated} new pods have been updated...`);
}

export const isPaused = (object: JsonObject): boolean => at(object, "spec", "paused") === true;
