import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../api/object.ts";
import { persistentVolumeClaims, persistentVolumes, pods as podResource } from "../../../api/resources.ts";
import { claimProtection, volumeProtection } from "../../../api/volume-names.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { claimKeysOf, indexByClaim, podsWithClaim } from "./volume-indexes.ts";

export interface ClaimProtectionDependencies {
  readonly client: Client;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly pods: Informer<Pod>;
}

/** Lets deleted claims go once no Pod that has a node names them, ended Pods included. */
export function claimProtectionController({
  client,
  claims,
  pods,
}: ClaimProtectionDependencies): ControllerSpec {
  indexByClaim(pods);
  return {
    name: "persistentvolumeclaim-protection",
    workers: 1,
    watches: [
      watching(claims, (queue) => {
        const enqueue = (claim: PersistentVolumeClaim) => {
          if (isHeld(claim, claimProtection)) queue.add(keyOf(claim));
        };
        return { added: enqueue, updated: (_old, claim) => enqueue(claim) };
      }),
      watching(pods, (queue) => ({
        deleted: (pod) => {
          for (const key of claimKeysOf(pod)) queue.add(key);
        },
      })),
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const claim = claims.get(key);
      if (claim === undefined || !isHeld(claim, claimProtection)) return done;
      if (podsWithClaim(pods, key).some(hasNode)) return done;
      // The informer may not know yet that a Pod was bound.
      const live = await client.list(podResource, { namespace: claim.metadata.namespace }, signal);
      if (live.items.some((pod) => hasNode(pod) && claimKeysOf(pod).includes(key))) return done;
      await client.update(persistentVolumeClaims, withoutFinalizer(claim, claimProtection), { signal });
      return done;
    },
  };
}

function hasNode({ spec }: Pod): boolean {
  return (spec.nodeName ?? "") !== "";
}

export interface VolumeProtectionDependencies {
  readonly client: Client;
  readonly volumes: Informer<PersistentVolume>;
}

/** Lets deleted volumes go once no claim has them. */
export function volumeProtectionController({
  client,
  volumes,
}: VolumeProtectionDependencies): ControllerSpec {
  return {
    name: "persistentvolume-protection",
    workers: 1,
    watches: [
      watching(volumes, (queue) => {
        const enqueue = (volume: PersistentVolume) => {
          if (isHeld(volume, volumeProtection)) queue.add(volume.metadata.name);
        };
        return { added: enqueue, updated: (_old, volume) => enqueue(volume) };
      }),
    ],
    ignores: isNotFound,

    async reconcile(name, signal) {
      const volume = volumes.get(name);
      if (volume === undefined || !isHeld(volume, volumeProtection) || volume.status?.phase === "Bound")
        return done;
      await client.update(persistentVolumes, withoutFinalizer(volume, volumeProtection), { signal });
      return done;
    },
  };
}

type Protected = PersistentVolume | PersistentVolumeClaim;

/** Whether a deleted object waits for its protection to end. */
function isHeld(object: Protected, finalizer: string): boolean {
  return isBeingDeleted(object) && (object.metadata.finalizers ?? []).includes(finalizer);
}

function withoutFinalizer<T extends Protected>(object: T, finalizer: string): T {
  const finalizers = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
