import type { PersistentVolume } from "../../../api/generated/core-v1.ts";
import type { StoredObject } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { persistentVolumes } from "../../../api/resources.ts";
import { formatTime } from "../../../api/time.ts";
import { boundByControllerAnnotation } from "../../../api/volume-names.ts";
import {
  isChosenByBinder,
  type VolumeAction,
  type VolumePlan,
} from "../../../decisions/volumes/plan-volume.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";

/** What writes about volumes and claims need. */
export interface VolumeWriting {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly events: { readonly binder: EventRecorder; readonly provisioner: EventRecorder };
  /** Called with every object as it was written. */
  readonly wrote: (resource: Resource, object: StoredObject) => void;
}

/** Does what a plan for a volume says, in its order. */
export async function applyVolumePlan(
  { actions }: VolumePlan,
  volume: PersistentVolume,
  writing: VolumeWriting,
): Promise<void> {
  let current = volume;
  for (const action of actions) current = await apply(action, current, writing);
}

async function apply(
  action: VolumeAction,
  volume: PersistentVolume,
  writing: VolumeWriting,
): Promise<PersistentVolume> {
  const { metadata } = volume;
  switch (action.kind) {
    case "event": {
      const { kind: _, ...said } = action;
      writing.events.binder.record({ regarding: referenceTo(persistentVolumes, volume), ...said });
      return volume;
    }
    case "set-phase":
      return writeVolumePhase(volume, action, writing);
    case "unbind":
      return writeVolume(withoutClaim(volume), writing);
    case "delete": {
      const { name, uid } = metadata;
      const options = { preconditions: { uid }, signal: writing.signal };
      await writing.client.delete(persistentVolumes, { name }, options);
      return volume;
    }
    case "remove-finalizer": {
      const finalizers = (metadata.finalizers ?? []).filter((each) => each !== action.finalizer);
      return writeVolume({ ...volume, metadata: { ...metadata, finalizers } }, writing);
    }
  }
}

/** The volume without its claim; a reference that a user made keeps the name of the claim. */
function withoutClaim(volume: PersistentVolume): PersistentVolume {
  const { metadata, spec } = volume;
  const { [boundByControllerAnnotation]: _, ...annotations } = metadata.annotations ?? {};
  const { claimRef, ...unclaimed } = spec;
  const { uid: _uid, resourceVersion: _version, ...kept } = claimRef ?? {};
  return {
    ...volume,
    metadata: { ...metadata, annotations },
    spec: isChosenByBinder(volume) ? unclaimed : { ...unclaimed, claimRef: kept },
  };
}

/** Writes a volume. */
export async function writeVolume(
  volume: PersistentVolume,
  { client, signal, wrote }: VolumeWriting,
): Promise<PersistentVolume> {
  const written = await client.update(persistentVolumes, volume, { signal });
  wrote(persistentVolumes, written);
  return written;
}

/** Writes the phase of a volume, unless it has it. */
export async function writeVolumePhase(
  volume: PersistentVolume,
  { phase, message }: { readonly phase: string; readonly message?: string },
  { client, clock, signal, wrote }: VolumeWriting,
): Promise<PersistentVolume> {
  if (volume.status?.phase === phase) return volume;
  const lastPhaseTransitionTime = formatTime(clock.now());
  const status = { phase, lastPhaseTransitionTime, ...(message !== undefined && { message }) };
  const written = await client.update(
    persistentVolumes,
    { ...volume, status },
    { subresource: "status", signal },
  );
  wrote(persistentVolumes, written);
  return written;
}
