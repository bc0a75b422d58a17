import type { PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import { simulatedProvisioner } from "../../api/volume-names.ts";
import { isObject, stringOf } from "../placement/objects/reading.ts";
import { isClaimBound } from "./plan-claim.ts";
import { isReservedFor, requestedSize, sizeIn } from "./volume-match.ts";

/** What happens to a claim that asks for more than it has. */
export type ExpansionPlan =
  | { readonly kind: "fits" }
  /** The driver of the volume is not simulated: the program of that driver has to expand it. */
  | { readonly kind: "external"; readonly driver: string }
  | { readonly kind: "grows"; readonly volume: PersistentVolume; readonly storage: string | number };

const fits: ExpansionPlan = { kind: "fits" };

/** Decides whether the volume of a claim grows. */
export function planExpansion(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume | undefined,
): ExpansionPlan {
  if (volume === undefined || !isReservedFor(volume, claim) || !wantsMore(claim)) return fits;
  const storage = claim.spec.resources?.requests?.["storage"] ?? "0";
  const driver = stringOf(volume.spec.csi?.driver);
  return driver === simulatedProvisioner ? { kind: "grows", volume, storage } : { kind: "external", driver };
}

/** Whether a bound claim asks for more than it has. */
function wantsMore(claim: PersistentVolumeClaim): boolean {
  const capacity = claim.status?.capacity;
  return isClaimBound(claim) && isObject(capacity) && requestedSize(claim) > sizeIn(capacity);
}
