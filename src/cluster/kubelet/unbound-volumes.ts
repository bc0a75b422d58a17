import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { pods } from "../../api/resources.ts";
import { isClaimBound } from "../../decisions/volumes/plan-claim.ts";
import { claimsOfPod } from "../../decisions/volumes/pod-claims.ts";
import { type EventDraft, referenceTo } from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";

/** A volume that keeps a Pod from starting. */
export interface UnboundVolume {
  readonly volume: string;
  readonly problem: string;
}

/** The first volume of a Pod that has not started whose claim is not bound; `undefined` when nothing is in the way. */
export function unboundVolumeOf(
  pod: Pod,
  claims: Pick<Informer<PersistentVolumeClaim>, "get">,
): UnboundVolume | undefined {
  // Pods that run or terminate do not wait for volumes.
  if (pod.status?.startTime !== undefined || isBeingDeleted(pod)) return undefined;
  const { namespace = "" } = pod.metadata;
  for (const { volume, name } of claimsOfPod(pod)) {
    const claim = claims.get(`${namespace}/${name}`);
    const isBound = claim !== undefined && isClaimBound(claim);
    if (isBound) continue;
    const because =
      claim === undefined
        ? `failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`
        : "PVC is not bound";
    return { volume, problem: `error processing PVC ${namespace}/${name}: ${because}` };
  }
  return undefined;
}

/** The event of a Pod that waits for a volume. */
export function failedMountEvent(pod: Pod, { volume, problem }: UnboundVolume): EventDraft {
  const names = `unmounted volumes=[${volume}], unattached volumes=[], failed to process volumes=[${volume}]`;
  return {
    regarding: referenceTo(pods, pod),
    type: "Warning",
    reason: "FailedMount",
    message: `Unable to attach or mount volumes: ${names}: ${problem}`,
  };
}
