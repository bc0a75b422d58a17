import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../../api/generated/core-v1.ts";
import { isClaimBound } from "../../../decisions/volumes/plan-claim.ts";
import { claimsOfPod } from "../../../decisions/volumes/pod-claims.ts";
import { classNameOf } from "../../../decisions/volumes/volume-match.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";

// Informers are shared, and so are their indexes: the names say what is indexed.
const byClaim = "claim";
const unclaimedByClass = "unclaimed-by-class";
const unboundByClass = "unbound-by-class";

/** The key of an object with a namespace. */
export function keyIn(namespace = "", name = ""): string {
  return `${namespace}/${name}`;
}

/** The keys of the claims that a Pod names. */
export function claimKeysOf(pod: Pod): readonly string[] {
  return claimsOfPod(pod).map(({ name }) => keyIn(pod.metadata.namespace, name));
}

/** Indexes Pods by the claims that they name. */
export function indexByClaim(pods: Informer<Pod>): void {
  pods.addIndex(byClaim, claimKeysOf);
}

/** Returns the Pods that name a claim, as the informer knows them. */
export function podsWithClaim(pods: Informer<Pod>, claim: string): readonly Pod[] {
  return pods.byIndex(byClaim, claim);
}

/** Indexes volumes by the claim that they name, and those without one by class. */
export function indexVolumes(volumes: Informer<PersistentVolume>): void {
  volumes.addIndex(byClaim, claimKeysIn);
  volumes.addIndex(unclaimedByClass, (volume) =>
    volume.spec.claimRef === undefined ? [classNameOf(volume) ?? ""] : [],
  );
}

/** The key of the claim that a volume names, if it names one. */
export function claimKeysIn({ spec: { claimRef } }: PersistentVolume): readonly string[] {
  return claimRef === undefined ? [] : [keyIn(claimRef.namespace, claimRef.name)];
}

export function volumesOfClaim(
  volumes: Informer<PersistentVolume>,
  claim: string,
): readonly PersistentVolume[] {
  return volumes.byIndex(byClaim, claim);
}

export function unclaimedVolumes(
  volumes: Informer<PersistentVolume>,
  storageClass: string,
): readonly PersistentVolume[] {
  return volumes.byIndex(unclaimedByClass, storageClass);
}

/** Indexes the claims without a volume by class; those that name none are under `undefined`. */
export function indexUnboundClaims(claims: Informer<PersistentVolumeClaim>): void {
  claims.addIndex(unboundByClass, (claim) => (isClaimBound(claim) ? [] : [String(classNameOf(claim))]));
}

export function unboundClaims(
  claims: Informer<PersistentVolumeClaim>,
  storageClass: string | undefined,
): readonly PersistentVolumeClaim[] {
  return claims.byIndex(unboundByClass, String(storageClass));
}
