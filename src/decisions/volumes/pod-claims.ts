import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import { isObject, itemsOf, stringOf } from "../placement/objects/reading.ts";

/** A claim that a Pod names. */
export interface PodClaim {
  /** The name of the volume in the Pod. */
  readonly volume: string;
  /** The name of the claim. */
  readonly name: string;
  /** Whether the claim is made for the Pod and goes with it. */
  readonly isEphemeral: boolean;
}

const noClaims: readonly PodClaim[] = [];

/** The claims that a Pod needs, in the order of its volumes. */
export function claimsOfPod({ metadata, spec }: Pod): readonly PodClaim[] {
  const volumes = spec?.volumes;
  if (volumes === undefined) return noClaims;
  return itemsOf(volumes).flatMap(({ name, persistentVolumeClaim, ephemeral }): readonly PodClaim[] => {
    const volume = stringOf(name);
    if (isObject(persistentVolumeClaim))
      return [{ volume, name: stringOf(persistentVolumeClaim.claimName), isEphemeral: false }];
    if (!isObject(ephemeral)) return noClaims;
    return [{ volume, name: ephemeralClaimName(stringOf(metadata?.name), volume), isEphemeral: true }];
  });
}

/** The name of the claim that is made for a volume of a Pod. */
export function ephemeralClaimName(pod: string, volume: string): string {
  return `${pod}-${volume}`;
}

/** What is wrong with a claim of the right name that was not made for the Pod. */
export function foreignClaimProblem(claim: PersistentVolumeClaim, pod: Pod): string | undefined {
  const owners = { metadata: { ownerReferences: itemsOf(claim.metadata?.ownerReferences) } };
  if (isControlledBy(owners, stringOf(pod.metadata?.uid))) return undefined;
  const [of, by] = [claim, pod].map(
    ({ metadata }) => `${stringOf(metadata?.namespace)}/${stringOf(metadata?.name)}`,
  );
  return `PVC ${of} was not created for pod ${by} (pod is not owner)`;
}
