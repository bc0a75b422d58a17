import type { PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { parseQuantity, zero } from "../../api/quantity/quantity.ts";
import { formerClassAnnotation } from "../../api/volume-names.ts";
import { readSelector } from "../placement/objects/pod-selection.ts";
import { isObject, stringOf, textsOf } from "../placement/objects/reading.ts";

/** Why a claim cannot have a volume, in Kubernetes' words. */
export type Misfit =
  | "requested PV is too small"
  | "storageClassName does not match"
  | "incompatible volumeMode"
  | "incompatible accessMode";

/** The class of a claim or a volume; "" asks for a volume without one, `undefined` leaves the choice to the cluster. */
export function classNameOf({
  metadata,
  spec,
}: Pick<PersistentVolumeClaim | PersistentVolume, "metadata" | "spec">): string | undefined {
  const former: unknown = metadata?.annotations?.[formerClassAnnotation];
  const name: unknown = typeof former === "string" ? former : spec?.storageClassName;
  return typeof name === "string" ? name : undefined;
}

/** The requested size of a claim, in billionths of a byte. */
export function requestedSize({ spec }: PersistentVolumeClaim): bigint {
  return sizeIn(spec?.resources?.requests);
}

/** The size under `storage` in a list of resources, in billionths of a byte. */
export function sizeIn(resources: unknown): bigint {
  const storage: unknown = isObject(resources) ? Reflect.get(resources, "storage") : undefined;
  const isText = typeof storage === "string" || typeof storage === "number";
  return ((isText ? parseQuantity(storage) : undefined) ?? zero).nanos;
}

/** Why a claim cannot have a volume; `undefined` when it can. */
export function misfitOf(volume: PersistentVolume, claim: PersistentVolumeClaim): Misfit | undefined {
  if (sizeIn(volume.spec?.capacity) < requestedSize(claim)) return "requested PV is too small";
  if ((classNameOf(volume) ?? "") !== (classNameOf(claim) ?? "")) return "storageClassName does not match";
  if (modeOf(volume) !== modeOf(claim)) return "incompatible volumeMode";
  const offered = textsOf(volume.spec?.accessModes);
  return textsOf(claim.spec?.accessModes).every((mode) => offered.includes(mode))
    ? undefined
    : "incompatible accessMode";
}

function modeOf({ spec }: Pick<PersistentVolumeClaim | PersistentVolume, "spec">): string {
  return stringOf(spec?.volumeMode) || "Filesystem";
}

/** Whether a volume is reserved for a claim: it names the claim, and not an earlier claim of that name. */
export function isReservedFor(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reserved = volume.spec?.claimRef;
  if (!isObject(reserved) || reserved.name !== metadata.name || reserved.namespace !== metadata.namespace)
    return false;
  const uid = stringOf(reserved.uid);
  return uid === "" || uid === metadata.uid;
}

/** Whether a volume is free for the first claim that it fits. */
function isAvailable({ metadata, spec, status }: PersistentVolume): boolean {
  return !isObject(spec?.claimRef) && status?.phase === "Available" && !isBeingDeleted({ metadata });
}

/** Which volumes a claim may get. */
export interface VolumeChoice {
  /** The volumes that no claim has. */
  readonly available: readonly PersistentVolume[];
  /** Whether a volume may be taken, such as because a node reaches it. Absent: each may. */
  readonly isAllowed?: (volume: PersistentVolume) => boolean;
}

/**
 * Returns the volume that fits a claim best: of those with the fewest access modes the smallest, then by name. Volumes with
 * more access modes are left for the claims that ask for them.
 */
export function chooseVolume(
  claim: PersistentVolumeClaim,
  { available, isAllowed = () => true }: VolumeChoice,
): PersistentVolume | undefined {
  const isSelected = selectionOf(claim);
  let best: PersistentVolume | undefined;
  for (const volume of available) {
    if (!isAvailable(volume) || misfitOf(volume, claim) !== undefined) continue;
    if (!isSelected(volume) || (best !== undefined && compareVolumes(volume, best) >= 0)) continue;
    if (isAllowed(volume)) best = volume;
  }
  return best;
}

function selectionOf({ spec }: PersistentVolumeClaim): (volume: PersistentVolume) => boolean {
  if (!isObject(spec?.selector)) return () => true;
  const read = readSelector(spec.selector);
  return ({ metadata }) => read.ok && matchesLabels(read.selection, metadata.labels);
}

function compareVolumes(a: PersistentVolume, b: PersistentVolume): number {
  const modes = textsOf(a.spec.accessModes).length - textsOf(b.spec.accessModes).length;
  if (modes !== 0) return modes;
  const [left, right] = [sizeIn(a.spec.capacity), sizeIn(b.spec.capacity)];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
