import type { PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import {
  boundByControllerAnnotation,
  provisionedByAnnotation,
  provisionerProtection,
  simulatedProvisioner,
} from "../../api/volume-names.ts";
import { isObject, labelOf, stringOf, textsOf } from "../placement/objects/reading.ts";

/** What the state of a volume depends on. */
export interface VolumeState {
  readonly volume: PersistentVolume;
  /** The claim that has the name in the volume's reference, whatever its UID is. */
  readonly claim?: PersistentVolumeClaim | undefined;
}

export type VolumePhase = "Available" | "Bound" | "Released" | "Failed";

/** What becomes of a volume, and why. */
export type VolumeOutcome =
  | { readonly kind: "available"; readonly because: "unclaimed" | "kept-for-a-claim" | "claim-has-another" }
  | { readonly kind: "binding" }
  | { readonly kind: "bound"; readonly claim: string }
  | { readonly kind: "released"; readonly because: "retained" | "provisioner-deletes-it" }
  | { readonly kind: "deleted"; readonly because: "claim-gone" | "claim-has-another" }
  | { readonly kind: "failed"; readonly detail: string };

export type VolumeAction =
  | { readonly kind: "set-phase"; readonly phase: VolumePhase; readonly message?: string }
  /** Forgets the claim that the binder chose. */
  | { readonly kind: "unbind" }
  | { readonly kind: "delete" }
  /** Removes the finalizer of a deleted volume whose storage is gone. */
  | { readonly kind: "remove-finalizer"; readonly finalizer: string }
  | { readonly kind: "event"; readonly type: "Warning"; readonly reason: string; readonly message: string };

/** What to do with a volume, and what becomes of it. */
export interface VolumePlan {
  readonly outcome: VolumeOutcome;
  readonly actions: readonly VolumeAction[];
}

/** Decides whether a volume is free, bound, released or removed. */
export function planVolume(state: VolumeState): VolumePlan {
  const { volume, claim } = state;
  const reference = volume.spec?.claimRef;
  if (!isObject(reference)) return available("unclaimed");
  const uid = stringOf(reference.uid);
  if (uid === "") return available("kept-for-a-claim");
  if (claim === undefined || claim.metadata.uid !== uid) return planReleased(volume);
  const has = stringOf(claim.spec?.volumeName);
  if (has === "") return { outcome: { kind: "binding" }, actions: [] };
  if (has !== volume.metadata.name) return planUnwanted(volume);
  return {
    outcome: { kind: "bound", claim: claim.metadata.name },
    actions: [{ kind: "set-phase", phase: "Bound" }],
  };
}

function available(because: Extract<VolumeOutcome, { kind: "available" }>["because"]): VolumePlan {
  return { outcome: { kind: "available", because }, actions: [{ kind: "set-phase", phase: "Available" }] };
}

/** The claim is gone: the policy says what becomes of the volume. */
function planReleased(volume: PersistentVolume): VolumePlan {
  if (stringOf(volume.spec.persistentVolumeReclaimPolicy) !== "Delete")
    return { outcome: { kind: "released", because: "retained" }, actions: [released, ...letGo(volume)] };
  const provisioner = madeBy(volume);
  if (provisioner === simulatedProvisioner)
    return {
      outcome: { kind: "deleted", because: "claim-gone" },
      actions: [released, ...(isBeingDeleted(volume) ? letGo(volume) : [{ kind: "delete" } as const])],
    };
  if (provisioner !== undefined)
    return { outcome: { kind: "released", because: "provisioner-deletes-it" }, actions: [released] };
  return failDeletion(volume);
}

const released: VolumeAction = { kind: "set-phase", phase: "Released" };

/** The provisioner that made a volume, or whose driver serves it; `undefined` for any other volume. */
function madeBy({ metadata, spec }: PersistentVolume): string | undefined {
  return labelOf(metadata.annotations, provisionedByAnnotation) ?? (stringOf(spec.csi?.driver) || undefined);
}

/** Lets a volume go that someone deleted: the simulated provisioner has nothing to remove. */
function letGo(volume: PersistentVolume): readonly VolumeAction[] {
  const isHeld = textsOf(volume.metadata.finalizers).includes(provisionerProtection);
  const isOurs = madeBy(volume) === simulatedProvisioner;
  return isHeld && isOurs && isBeingDeleted(volume)
    ? [{ kind: "remove-finalizer", finalizer: provisionerProtection }]
    : [];
}

function failDeletion({ metadata, status }: PersistentVolume): VolumePlan {
  const message = `error getting deleter volume plugin for volume "${metadata.name}": no deletable volume plugin matched`;
  const outcome: VolumeOutcome = { kind: "failed", detail: message };
  if (status?.phase === "Failed") return { outcome, actions: [] };
  return {
    outcome,
    actions: [
      { kind: "set-phase", phase: "Failed", message },
      { kind: "event", type: "Warning", reason: "VolumeFailedDelete", message },
    ],
  };
}

/** Its claim has another volume: a volume made for the claim is deleted, and one that the binder chose is free again. */
function planUnwanted(volume: PersistentVolume): VolumePlan {
  const wasMade = labelOf(volume.metadata.annotations, provisionedByAnnotation) !== undefined;
  if (wasMade && stringOf(volume.spec.persistentVolumeReclaimPolicy) === "Delete") {
    const { actions } = planReleased(volume);
    return { outcome: { kind: "deleted", because: "claim-has-another" }, actions };
  }
  return {
    outcome: { kind: "available", because: "claim-has-another" },
    actions: [{ kind: "unbind" }],
  };
}

/** Whether the binder chose the claim of a volume, so that the reference goes as a whole; a user's keeps the name. */
export function isChosenByBinder({ metadata }: PersistentVolume): boolean {
  return labelOf(metadata.annotations, boundByControllerAnnotation) !== undefined;
}
