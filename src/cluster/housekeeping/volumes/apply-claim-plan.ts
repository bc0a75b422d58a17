import type { PersistentVolume, PersistentVolumeClaim } from "../../../api/generated/core-v1.ts";
import { keyOf } from "../../../api/object.ts";
import { persistentVolumeClaims, persistentVolumes } from "../../../api/resources.ts";
import {
  bindCompletedAnnotation,
  boundByControllerAnnotation,
  provisionerAnnotations,
  selectedNodeAnnotation,
} from "../../../api/volume-names.ts";
import type { ClaimAction, ClaimPlan } from "../../../decisions/volumes/plan-claim.ts";
import { referenceToClaim } from "../../../decisions/volumes/provisioned-volume.ts";
import { isAlreadyExists } from "../../../machinery/client/api-error.ts";
import { referenceTo } from "../../../machinery/events/event-draft.ts";
import { writeVolume, writeVolumePhase, type VolumeWriting } from "./write-volume.ts";

/** Does what a plan for a claim says, in its order. */
export async function applyClaimPlan(
  { actions }: ClaimPlan,
  claim: PersistentVolumeClaim,
  writing: VolumeWriting,
): Promise<void> {
  let current = claim;
  for (const action of actions) current = await apply(action, current, writing);
}

/** Carries out one action; returns the claim as it is stored then. */
async function apply(
  action: ClaimAction,
  claim: PersistentVolumeClaim,
  writing: VolumeWriting,
): Promise<PersistentVolumeClaim> {
  switch (action.kind) {
    case "event": {
      const { kind: _, by, ...said } = action;
      writing.events[by].record({ regarding: referenceTo(persistentVolumeClaims, claim), ...said });
      return claim;
    }
    case "assign-class":
      return writeClaim(
        { ...claim, spec: { ...claim.spec, storageClassName: action.storageClass } },
        writing,
      );
    case "ask-provisioner": {
      const asked = Object.fromEntries(provisionerAnnotations.map((name) => [name, action.provisioner]));
      return annotate(claim, asked, writing);
    }
    case "drop-selected-node": {
      const { [selectedNodeAnnotation]: _, ...annotations } = claim.metadata.annotations ?? {};
      return writeClaim({ ...claim, metadata: { ...claim.metadata, annotations } }, writing);
    }
    case "create-volume":
      await createVolume(action, writing);
      return claim;
    case "set-phase":
      if (claim.status?.phase === action.phase) return claim;
      return writeClaimStatus({ ...claim, status: { ...claim.status, phase: action.phase } }, writing);
    case "bind":
      return bind(action.volume, claim, writing);
  }
}

async function createVolume(
  { volume }: Extract<ClaimAction, { kind: "create-volume" }>,
  { client, signal, wrote }: VolumeWriting,
): Promise<void> {
  try {
    wrote(persistentVolumes, await client.create(persistentVolumes, volume, { signal }));
  } catch (error) {
    // The claim exists already; the watch has not delivered it yet.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** Writes both sides of a binding, first the volume: that decides between claims. Each write may be repeated. */
async function bind(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  writing: VolumeWriting,
): Promise<PersistentVolumeClaim> {
  const claimed = await claimVolume(volume, claim, writing);
  await writeVolumePhase(claimed, { phase: "Bound" }, writing);
  const { name } = claimed.metadata;
  const chosen = (claim.spec.volumeName ?? "") === "" ? { [boundByControllerAnnotation]: "yes" } : {};
  const named = { ...claim, spec: { ...claim.spec, volumeName: name } };
  const completed = await annotate(named, { ...chosen, [bindCompletedAnnotation]: "yes" }, writing);
  if (completed.status?.phase === "Bound" && completed.status.capacity !== undefined) return completed;
  const { accessModes, capacity = {} } = claimed.spec;
  const status = {
    ...completed.status,
    phase: "Bound",
    capacity,
    ...(accessModes !== undefined && { accessModes }),
  };
  return writeClaimStatus({ ...completed, status }, writing);
}

async function claimVolume(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  writing: VolumeWriting,
): Promise<PersistentVolume> {
  const { claimRef } = volume.spec;
  if (claimRef?.uid === claim.metadata.uid) return volume;
  const reference = {
    ...claimRef,
    ...referenceToClaim(claim),
    resourceVersion: claim.metadata.resourceVersion,
  };
  const isChosen = claimRef === undefined;
  const annotations = {
    ...volume.metadata.annotations,
    ...(isChosen && { [boundByControllerAnnotation]: "yes" }),
  };
  return writeVolume(
    {
      ...volume,
      metadata: { ...volume.metadata, annotations },
      spec: { ...volume.spec, claimRef: reference },
    },
    writing,
  );
}

/** Writes a claim with more annotations, unless nothing changes. */
function annotate(
  claim: PersistentVolumeClaim,
  added: Readonly<Record<string, string>>,
  writing: VolumeWriting,
): Promise<PersistentVolumeClaim> {
  const present = claim.metadata.annotations ?? {};
  if (Object.entries(added).every(([name, value]) => present[name] === value)) return Promise.resolve(claim);
  return writeClaim(
    { ...claim, metadata: { ...claim.metadata, annotations: { ...present, ...added } } },
    writing,
  );
}

async function writeClaim(
  claim: PersistentVolumeClaim,
  { client, signal, wrote }: VolumeWriting,
): Promise<PersistentVolumeClaim> {
  const written = await client.update(persistentVolumeClaims, claim, { signal });
  wrote(persistentVolumeClaims, written);
  return written;
}

/** Writes the status of a claim. */
export async function writeClaimStatus(
  claim: PersistentVolumeClaim,
  { client, signal, wrote }: VolumeWriting,
): Promise<PersistentVolumeClaim> {
  const written = await client.update(persistentVolumeClaims, claim, { subresource: "status", signal });
  wrote(persistentVolumeClaims, written);
  return written;
}

/** The key of a claim in the queue. */
export function claimTask(claim: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}) {
  return `claim ${keyOf(claim)}`;
}
