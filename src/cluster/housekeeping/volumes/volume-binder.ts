import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "../../../api/generated/core-v1.ts";
import type { StorageClass } from "../../../api/generated/storage-v1.ts";
import { isBeingDeleted, keyOf, type StoredObject } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { persistentVolumeClaims } from "../../../api/resources.ts";
import {
  type ClaimState,
  isClaimBound,
  planClaim,
  selectedNodeOf,
} from "../../../decisions/volumes/plan-claim.ts";
import { planVolume } from "../../../decisions/volumes/plan-volume.ts";
import { defaultClassOf } from "../../../decisions/volumes/storage-class.ts";
import { classNameOf, isReservedFor } from "../../../decisions/volumes/volume-match.ts";
import { ifFound, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import {
  type ControllerSpec,
  done,
  type ReconcileResult,
  type KeyQueue,
  watching,
} from "../../../machinery/controller.ts";
import type { EventRecorder } from "../../../machinery/events/event-draft.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { ReadYourWrites } from "../../../machinery/read-your-writes.ts";
import { applyClaimPlan, claimTask } from "./apply-claim-plan.ts";
import { expandVolume, type ExpansionEvents } from "./expand-volume.ts";
import {
  claimKeysIn,
  claimKeysOf,
  indexByClaim,
  indexUnboundClaims,
  indexVolumes,
  keyIn,
  podsWithClaim,
  unboundClaims,
  unclaimedVolumes,
  volumesOfClaim,
} from "./volume-indexes.ts";
import { applyVolumePlan, type VolumeWriting } from "./write-volume.ts";

export interface VolumeBinderDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly events: ExpansionEvents & {
    readonly binder: EventRecorder;
    readonly provisioner: EventRecorder;
  };
}

const volumePrefix = "volume ";
const claimPrefix = "claim ";
const volumeTask = (name: string) => `${volumePrefix}${name}`;

/** How long after a failure the provisioner tries again. */
const retryProvisioningMs = 15_000;

/** Binds claims to volumes, makes volumes where a class asks for it, and keeps the state of both. */
export function volumeBinder(deps: VolumeBinderDependencies): ControllerSpec {
  const { client, clock, claims, volumes, classes, pods, events } = deps;
  const written = new ReadYourWrites([claims, volumes]);
  indexByClaim(pods);
  indexVolumes(volumes);
  indexUnboundClaims(claims);
  const writingFor = (key: string, { metadata }: StoredObject, signal: AbortSignal): VolumeWriting => ({
    client,
    clock,
    signal,
    events,
    wrote: (resource: Resource, object: StoredObject) =>
      written.record({ key, uid: metadata.uid }, resource, object.metadata.resourceVersion),
  });

  const reconcileClaim = async (key: string, signal: AbortSignal): Promise<ReconcileResult> => {
    const claim = claims.get(key.slice(claimPrefix.length));
    if (claim === undefined) return done;
    const writing = writingFor(key, claim, signal);
    const plan = planClaim(gatherClaim(claim, deps));
    await applyClaimPlan(plan, claim, writing);
    const { outcome } = plan;
    if (outcome.kind === "bound") await expandVolume(claim, { volumes, events, writing });
    const failed = outcome.kind === "waits" && outcome.for === "provisioning-to-succeed";
    return failed ? { requeueAfterMs: retryProvisioningMs } : done;
  };
  const reconcileVolume = async (key: string, signal: AbortSignal): Promise<ReconcileResult> => {
    const volume = volumes.get(key.slice(volumePrefix.length));
    if (volume === undefined) return done;
    // A claim that seems to be gone may be too new for the informer.
    const claim = await claimOf(volume, deps, signal);
    await applyVolumePlan(planVolume({ volume, claim }), volume, writingFor(key, volume, signal));
    return done;
  };
  return {
    name: "persistentvolume-binder",
    // One worker, so that two claims never choose at the same time.
    workers: 1,
    watches: [
      watching(claims, (queue) => claimHandler(queue, deps)),
      watching(volumes, (queue) => volumeHandler(queue, deps)),
      watching(classes, (queue) => {
        const enqueue = ({ metadata }: StorageClass) => {
          for (const name of [metadata.name, undefined])
            for (const claim of unboundClaims(claims, name)) queue.add(claimTask(claim));
        };
        return { added: enqueue, updated: (_old, storageClass) => enqueue(storageClass) };
      }),
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => {
          for (const key of claimKeysOf(pod)) {
            const claim = claims.get(key);
            if (claim !== undefined && !isClaimBound(claim)) queue.add(claimTask(claim));
          }
        };
        return {
          added: enqueue,
          updated: (old, pod) => {
            if (old.spec.nodeName !== pod.spec.nodeName) enqueue(pod);
          },
          deleted: enqueue,
        };
      }),
      deps.nodes,
    ],
    written,
    ignores: isNotFound,
    reconcile: (key, signal) =>
      key.startsWith(claimPrefix) ? reconcileClaim(key, signal) : reconcileVolume(key, signal),
  };
}

function gatherClaim(claim: PersistentVolumeClaim, deps: VolumeBinderDependencies): ClaimState {
  const { volumes, classes, pods, nodes } = deps;
  const key = keyOf(claim);
  const className = classNameOf(claim);
  const selected = selectedNodeOf(claim);
  return {
    claim,
    named: volumes.get(claim.spec.volumeName ?? ""),
    reserved: volumesOfClaim(volumes, key).find((volume) => isReservedFor(volume, claim)),
    available: unclaimedVolumes(volumes, className ?? ""),
    storageClass: className === undefined ? undefined : classes.get(className),
    defaultClass: className === undefined ? defaultClassOf(classes.list()) : undefined,
    waitingPods: podsWithClaim(pods, key)
      .filter((pod) => (pod.spec.nodeName ?? "") === "" && !isBeingDeleted(pod))
      .map(({ metadata }) => metadata.name)
      .sort(),
    nodes: nodes.list(),
    selectedNode: nodes.get(selected),
  };
}

async function claimOf(
  volume: PersistentVolume,
  { client, claims }: VolumeBinderDependencies,
  signal: AbortSignal,
): Promise<PersistentVolumeClaim | undefined> {
  const { claimRef } = volume.spec;
  if (claimRef?.uid === undefined) return undefined;
  const { namespace, name = "", uid } = claimRef;
  const cached = claims.get(keyIn(namespace, name));
  if (cached?.metadata.uid === uid) return cached;
  return ifFound(client.get(persistentVolumeClaims, { namespace, name }, signal));
}

function claimHandler(queue: KeyQueue, { volumes }: VolumeBinderDependencies) {
  const enqueue = (claim: PersistentVolumeClaim) => {
    queue.add(claimTask(claim));
    enqueueVolumes(claim);
  };
  const enqueueVolumes = (claim: PersistentVolumeClaim) => {
    for (const { metadata } of volumesOfClaim(volumes, keyOf(claim))) queue.add(volumeTask(metadata.name));
  };
  return {
    added: enqueue,
    updated: (_old: PersistentVolumeClaim, claim: PersistentVolumeClaim) => enqueue(claim),
    deleted: enqueueVolumes,
  };
}

function volumeHandler(queue: KeyQueue, { claims }: VolumeBinderDependencies) {
  const enqueueClaims = (volume: PersistentVolume) => {
    for (const key of claimKeysIn(volume)) queue.add(`${claimPrefix}${key}`);
  };
  const enqueue = (volume: PersistentVolume) => {
    queue.add(volumeTask(volume.metadata.name));
    enqueueClaims(volume);
    if (volume.spec.claimRef !== undefined || volume.status?.phase !== "Available") return;
    for (const claim of unboundClaims(claims, classNameOf(volume) ?? "")) queue.add(claimTask(claim));
  };
  return {
    added: enqueue,
    updated: (old: PersistentVolume, volume: PersistentVolume) => {
      if (old.spec.claimRef !== volume.spec.claimRef) enqueueClaims(old);
      enqueue(volume);
    },
    deleted: enqueueClaims,
  };
}
