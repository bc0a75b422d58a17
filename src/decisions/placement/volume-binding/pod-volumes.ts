import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { isClaimBound } from "../../volumes/plan-claim.ts";
import { claimsOfPod, foreignClaimProblem, type PodClaim } from "../../volumes/pod-claims.ts";
import { waitsForConsumer } from "../../volumes/storage-class.ts";
import { classNameOf } from "../../volumes/volume-match.ts";
import { stringOf } from "../objects/reading.ts";
import type { VolumeLookups } from "../view/cluster-view.ts";

/** A claim and the volume that it has; absent where that is gone. */
export interface BoundClaim {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume | undefined;
}

/** The claims of a Pod that can be placed, or why it cannot. */
export type PodVolumes =
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly reason: string }
  | {
      readonly kind: "claims";
      readonly bound: readonly BoundClaim[];
      /** They get their volumes once the Pod has a node. */
      readonly delayed: readonly PersistentVolumeClaim[];
    };

const none: PodVolumes = { kind: "none" };

/** Finds the claims of a Pod. */
export function podVolumesOf(pod: Pod, lookups: VolumeLookups): PodVolumes {
  const named = claimsOfPod(pod);
  if (named.length === 0) return none;
  const namespace = stringOf(pod.metadata?.namespace);
  const bound: BoundClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let immediate: PersistentVolumeClaim | undefined;
  for (const each of named) {
    const claim = lookups.claim(namespace, each.name);
    const reason = problemOf(each, claim, pod);
    if (reason !== undefined) return { kind: "problem", reason };
    if (claim === undefined) continue;
    if (isClaimBound(claim)) bound.push({ claim, volume: lookups.volume(stringOf(claim.spec.volumeName)) });
    else if (isDelayed(claim, lookups)) delayed.push(claim);
    else immediate ??= claim;
  }
  const reason = unboundProblem({ immediate, delayed }, lookups);
  return reason === undefined ? { kind: "claims", bound, delayed } : { kind: "problem", reason };
}

function problemOf(
  { name, isEphemeral }: PodClaim,
  claim: PersistentVolumeClaim | undefined,
  pod: Pod,
): string | undefined {
  if (claim === undefined)
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  if (claim.status?.phase === "Lost")
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${stringOf(claim.spec?.volumeName)}"`;
  if (isBeingDeleted(claim)) return `persistentvolumeclaim "${name}" is being deleted`;
  return isEphemeral ? foreignClaimProblem(claim, pod) : undefined;
}

/** Whether a claim waits for its first Pod; one that names its volume is bound without. */
function isDelayed(claim: PersistentVolumeClaim, { storageClass }: VolumeLookups): boolean {
  return stringOf(claim.spec?.volumeName) === "" && waitsForConsumer(storageClass(classNameOf(claim) ?? ""));
}

function unboundProblem(
  {
    immediate,
    delayed,
  }: {
    readonly immediate: PersistentVolumeClaim | undefined;
    readonly delayed: readonly PersistentVolumeClaim[];
  },
  { bindsClaims }: VolumeLookups,
): string | undefined {
  if (immediate !== undefined) return "pod has unbound immediate PersistentVolumeClaims";
  const [first] = delayed;
  if (first === undefined || bindsClaims) return undefined;
  return `persistentvolumeclaim "${first.metadata.name}" waits for its first Pod, which this scheduler does not bind volumes for`;
}
