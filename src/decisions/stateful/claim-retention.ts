import { deepEqual } from "../../api/deep-equal.ts";
import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { pods, statefulSets } from "../../api/resources.ts";

/** What happens to claims when the set is deleted, and when it is scaled down. */
interface ClaimRetention {
  readonly whenDeleted: "Retain" | "Delete";
  readonly whenScaled: "Retain" | "Delete";
}

export function retentionOf({ spec }: StatefulSet): ClaimRetention {
  const policy = spec?.persistentVolumeClaimRetentionPolicy;
  return { whenDeleted: deleteOrRetain(policy?.whenDeleted), whenScaled: deleteOrRetain(policy?.whenScaled) };
}

function deleteOrRetain(value: unknown): "Retain" | "Delete" {
  return value === "Delete" ? "Delete" : "Retain";
}

/** The objects that a claim may be deleted with: its set, or its Pod if the ordinal is out of range. */
export interface ClaimOwners {
  readonly set: StatefulSet;
  /** The Pod of the ordinal; absent: it does not exist. */
  readonly pod?: Pod | undefined;
  readonly podName: string;
  readonly isInRange: boolean;
}

/** The owner references that the policy asks for: at most one, which makes the garbage collector delete the claim. */
export function wantedOwners({ set, pod, isInRange }: ClaimOwners): readonly OwnerReference[] {
  const { whenDeleted, whenScaled } = retentionOf(set);
  if (!isInRange && whenScaled === "Delete") return pod === undefined ? [] : [controllerReference(pods, pod)];
  return whenDeleted === "Delete" ? [controllerReference(statefulSets, set)] : [];
}

/** What is wrong with the owner references of a claim. */
export type ClaimCorrection =
  | { readonly kind: "none" }
  | { readonly kind: "update"; readonly claim: PersistentVolumeClaim; readonly isConflicting: boolean };

const correct: ClaimCorrection = { kind: "none" };

/**
 * Compares the owners of a claim with those that the policy asks for. A claim of an earlier set or Pod of the same name
 * is being collected and is left alone; one with a foreign controller gets no reference of ours.
 */
export function correctOwners(claim: PersistentVolumeClaim, owners: ClaimOwners): ClaimCorrection {
  if (isStale(claim, owners)) return correct;
  const references = referencesOf(claim);
  const others = references.filter((reference) => !isOurs(reference, owners));
  const isConflicting = hasForeignController(claim, owners);
  const wanted = isConflicting ? [] : wantedOwners(owners);
  const ours = references.filter((reference) => isOurs(reference, owners));
  if (deepEqual(ours, wanted)) return correct;
  const metadata = { ...claim.metadata, ownerReferences: [...others, ...wanted] };
  return { kind: "update", claim: { ...claim, metadata }, isConflicting };
}

/** Whether something else controls a claim that the policy would have deleted. */
export function hasForeignController(claim: PersistentVolumeClaim, owners: ClaimOwners): boolean {
  const { whenDeleted, whenScaled } = retentionOf(owners.set);
  if (whenDeleted === "Retain" && whenScaled === "Retain") return false;
  return referencesOf(claim).some((reference) => reference.controller === true && !isOurs(reference, owners));
}

/** Reports whether a claim belongs to an earlier Pod of that name and is deleted with it: a new Pod has to wait for that. */
export function isStaleForPod(claim: PersistentVolumeClaim, owners: ClaimOwners): boolean {
  if (retentionOf(owners.set).whenScaled === "Retain") return false;
  return referencesOf(claim).some(
    (reference) => isPodOfName(reference, owners) && !isOurs(reference, owners),
  );
}

function isStale(claim: PersistentVolumeClaim, owners: ClaimOwners): boolean {
  const { metadata } = owners.set;
  return referencesOf(claim).some(
    (reference) =>
      !isOurs(reference, owners) &&
      (isPodOfName(reference, owners) ||
        (reference.kind === statefulSets.kind && reference.name === metadata.name)),
  );
}

function isPodOfName({ kind, name }: OwnerReference, { podName }: ClaimOwners): boolean {
  return kind === pods.kind && name === podName;
}

function isOurs({ uid }: OwnerReference, { set, pod }: ClaimOwners): boolean {
  return uid === set.metadata.uid || uid === pod?.metadata.uid;
}

function referencesOf({ metadata }: PersistentVolumeClaim): readonly OwnerReference[] {
  const references: unknown = metadata?.ownerReferences;
  return Array.isArray(references) ? (references as readonly OwnerReference[]) : [];
}
