import { claimOf } from "../../api/claim.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod, ReplicationController } from "../../api/generated/core-v1.ts";
import { compileLabelMap, compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { type LabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isActive } from "../../api/pod-state.ts";
import type { RemovalProfileName } from "../downscale/removal-profiles.ts";
import { isRankedByNodes, type ReplicaOwner } from "../replicas/replica-owner.ts";
import type { ClusterObjects } from "./cluster-objects.ts";

/** The name of an object that explanations are about. */
export interface ObjectReference {
  readonly kind: "Deployment" | "ReplicaSet" | "ReplicationController" | "Pod";
  readonly namespace: string;
  readonly name: string;
}

/** Whether an object has a namespace and a name. */
export function isNamed(
  { metadata }: StoredObject,
  { namespace, name }: Pick<ObjectReference, "namespace" | "name">,
): boolean {
  return metadata.name === name && (metadata.namespace ?? "") === namespace;
}

/** What a workload selects; `undefined` when its selector is empty or cannot be read: then it selects nothing. */
export function workloadSelection(owner: Deployment | ReplicaOwner): LabelSelection | undefined {
  const selection = isReplicationController(owner)
    ? compileLabelMap(owner.spec?.selector)
    : compiledOf(owner.spec.selector);
  return selection.selects === "nothing" || selection.requirements.length === 0 ? undefined : selection;
}

function compiledOf(selector: ReplicaSet["spec"]["selector"]): LabelSelection {
  const compiled = compileLabelSelector(selector);
  return compiled.ok ? compiled.selection : { selects: "nothing" };
}

function isReplicationController(owner: Deployment | ReplicaOwner): owner is ReplicationController {
  return owner.kind === "ReplicationController";
}

/** The ReplicaSets that a Deployment controls, or adopts with its next pass. */
export function replicaSetsOf(
  deployment: Deployment,
  { replicaSets }: Pick<ClusterObjects, "replicaSets">,
): readonly ReplicaSet[] {
  return claimed(deployment, replicaSets);
}

/** The Pods that a ReplicaSet or ReplicationController controls, or adopts with its next sync, and that count. */
export function activePodsOf(owner: ReplicaOwner, { pods }: Pick<ClusterObjects, "pods">): readonly Pod[] {
  return claimed(owner, pods).filter(isActive);
}

/** All Pods that an owner controls, whatever their state. */
export function controlledPods(owner: ReplicaOwner, { pods }: Pick<ClusterObjects, "pods">): readonly Pod[] {
  return pods.filter((pod) => controllerOf(pod)?.uid === owner.metadata.uid);
}

function claimed<T extends StoredObject>(
  owner: Deployment | ReplicaOwner,
  objects: readonly T[],
): readonly T[] {
  const selection = workloadSelection(owner);
  if (selection === undefined) return [];
  const { namespace } = owner.metadata;
  return objects.filter((object) => {
    if (object.metadata.namespace !== namespace) return false;
    const claim = claimOf(object, { owner, selection });
    return claim === "ours" || claim === "adopt";
  });
}

/**
 * The Pods that count for co-location: those that any owner with the same controller selects, or the owner itself.
 * kube-controller-manager counts none for a ReplicaSet without a controller, and none for a ReplicationController.
 */
export function relatedPodsOf(
  owner: ReplicaOwner,
  objects: Pick<ClusterObjects, "pods" | "replicaSets" | "replicationControllers">,
  profile: RemovalProfileName,
): readonly Pod[] {
  if (profile === "kubernetes-1.36" && !isRankedByNodes(owner)) return [];
  const { namespace } = owner.metadata;
  const selections = withSameController(owner, objects).flatMap(
    (sibling) => workloadSelection(sibling) ?? [],
  );
  return objects.pods.filter(
    ({ metadata }) =>
      metadata.namespace === namespace &&
      selections.some((selection) => matchesLabels(selection, metadata.labels)),
  );
}

function withSameController(
  owner: ReplicaOwner,
  { replicaSets, replicationControllers }: Pick<ClusterObjects, "replicaSets" | "replicationControllers">,
): readonly ReplicaOwner[] {
  const uid = controllerOf(owner)?.uid;
  if (uid === undefined) return [owner];
  const owners: readonly ReplicaOwner[] = isReplicationController(owner)
    ? replicationControllers
    : replicaSets;
  return owners.filter(
    (other) => other.metadata.namespace === owner.metadata.namespace && controllerOf(other)?.uid === uid,
  );
}
