import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { podDefaults } from "../../api/pod/pod-defaults.ts";
import { mergeLabelKeys } from "../../api/pod/merge-label-keys.ts";
import type { Draft } from "../../api/object.ts";
import { replicaSets, replicationControllers } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { gatherRollout } from "../gather/gather-rollout.ts";
import { listReader } from "../gather/workload-reader.ts";
import { ownerSelection } from "../gather/owned-objects.ts";
import { draftPod } from "../replicas/draft-pod.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";
import { draftReplicaSet } from "../rollout/new-replica-set.ts";
import { revisionsOf } from "../rollout/revisions.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { nextStatefulPod } from "./next-stateful-pod.ts";
import { isNamed, type ExplainedObject } from "./object-reference.ts";

/** A Pod to be placed, or why there is none. */
export type FoundPod =
  | {
      readonly kind: "found";
      readonly pod: Pod;
      readonly isHypothetical: boolean;
      /** The claims that are created for it before it; absent: none. */
      readonly claims?: readonly PersistentVolumeClaim[];
    }
  | { readonly kind: "unknown" }
  | { readonly kind: "impossible"; readonly problem: string };

/** The Pod that a name stands for: an existing one, or the next one that a workload would create. */
export function findPodToPlace(objects: ClusterObjects, reference: ExplainedObject, now: Instant): FoundPod {
  if (reference.kind === "Pod") {
    const pod = objects.pods.find((each) => isNamed(each, reference));
    return pod === undefined ? { kind: "unknown" } : { kind: "found", pod, isHypothetical: false };
  }
  if (reference.kind === "StatefulSet") {
    const set = objects.statefulSets.find((each) => isNamed(each, reference));
    if (set === undefined) return { kind: "unknown" };
    const { pod, claims } = nextStatefulPod(set, objects, now);
    return { kind: "found", pod: admittedPod(pod, objects), isHypothetical: true, claims };
  }
  const owner = podOwner(objects, reference, now);
  return owner === undefined ? { kind: "unknown" } : nextPodOf(owner, objects);
}

/** The owner of the Pods that a workload creates next. */
function podOwner(
  objects: ClusterObjects,
  reference: ExplainedObject,
  now: Instant,
): ReplicaOwner | undefined {
  switch (reference.kind) {
    case "Deployment": {
      const deployment = objects.deployments.find((each) => isNamed(each, reference));
      return deployment && currentReplicaSet(deployment, objects, now);
    }
    case "ReplicaSet":
      return objects.replicaSets.find((each) => isNamed(each, reference));
    case "ReplicationController":
      return objects.replicationControllers.find((each) => isNamed(each, reference));
    case "StatefulSet":
    case "DaemonSet":
    case "Pod":
      return undefined;
  }
}

function currentReplicaSet(deployment: Deployment, objects: ClusterObjects, now: Instant): ReplicaOwner {
  const settings = { gates: defaultFeatureGates, now };
  const revisions = revisionsOf(gatherRollout(deployment, listReader(objects), settings));
  if (revisions.newReplicaSet !== undefined) return revisions.newReplicaSet;
  const { metadata, ...draft } = draftReplicaSet(revisions, 0);
  return { ...draft, metadata: { ...metadata, name: metadata.name ?? "", uid: "", resourceVersion: "" } };
}

function nextPodOf(owner: ReplicaOwner, objects: ClusterObjects): FoundPod {
  const selection = ownerSelection(owner);
  if (selection === undefined)
    return { kind: "impossible", problem: `${owner.kind} ${owner.metadata.name} selects no Pods` };
  const resource = owner.kind === "ReplicationController" ? replicationControllers : replicaSets;
  const drafted = draftPod(owner, { resource, selection });
  if (!drafted.ok) return { kind: "impossible", problem: drafted.problem };
  return { kind: "found", pod: admittedPod(drafted.pod, objects), isHypothetical: true };
}

/** A Pod as the API server would store it, as far as placement reads it: with defaults and its priority. */
export function admittedPod(
  draft: Draft<Pod>,
  { priorityClasses }: Pick<ClusterObjects, "priorityClasses">,
): Pod {
  const { metadata, spec } = draft;
  const wanted = spec.priorityClassName ?? "";
  const found = priorityClasses.find((each) =>
    wanted === "" ? each.globalDefault === true : each.metadata.name === wanted,
  );
  const priority = found === undefined ? {} : { priority: found.value ?? 0 };
  const policy = found?.preemptionPolicy === undefined ? {} : { preemptionPolicy: found.preemptionPolicy };
  const merged = mergeLabelKeys({ ...spec, ...priority, ...policy }, metadata.labels ?? {});
  const { name = `${metadata.generateName ?? ""}…` } = metadata;
  const stored = { ...metadata, name, uid: "", resourceVersion: "" };
  return podDefaults({ ...draft, metadata: stored, spec: merged, status: { phase: "Pending" } }) as Pod;
}
