import { expect, test } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import { planVolume } from "./plan-volume.ts";

const finalizer = "external-provisioner.volume.kubernetes.io/finalizer";

function volume(
  spec: Partial<PersistentVolume["spec"]>,
  metadata: Partial<PersistentVolume["metadata"]> = {},
): PersistentVolume {
  return { metadata: { name: "v", uid: "v", resourceVersion: "1", ...metadata }, spec, status: {} };
}

const claimRef = { namespace: "default", name: "data", uid: "u" };
const claim = (volumeName?: string, uid = "u"): PersistentVolumeClaim => ({
  metadata: { namespace: "default", name: "data", uid, resourceVersion: "1" },
  spec: { ...(volumeName !== undefined && { volumeName }) },
});
const simulated = { annotations: { "pv.kubernetes.io/provisioned-by": "sim.trimtab.dev/volumes" } };
const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const goes = { claimRef, persistentVolumeReclaimPolicy: "Delete" };

test.for<{
  name: string;
  volume: PersistentVolume;
  claim?: PersistentVolumeClaim;
  outcome: object;
  does: readonly string[];
}>([
  {
    name: "without a claim is available",
    volume: volume({}),
    outcome: { kind: "available", because: "unclaimed" },
    does: ["set-phase"],
  },
  {
    name: "that is kept for a claim is available to that",
    volume: volume({ claimRef: { namespace: "default", name: "data" } }),
    outcome: { kind: "available", because: "kept-for-a-claim" },
    does: ["set-phase"],
  },
  {
    name: "whose claim does not name it yet is left to the claim",
    volume: volume({ claimRef }),
    claim: claim(),
    outcome: { kind: "binding" },
    does: [],
  },
  {
    name: "whose claim names it is bound",
    volume: volume({ claimRef }),
    claim: claim("v"),
    outcome: { kind: "bound", claim: "data" },
    does: ["set-phase"],
  },
  {
    name: "whose claim has another one is free again",
    volume: volume({ claimRef }),
    claim: claim("w"),
    outcome: { kind: "available", because: "claim-has-another" },
    does: ["unbind"],
  },
  {
    name: "that was made for a claim which has another one goes",
    volume: volume(goes, simulated),
    claim: claim("w"),
    outcome: { kind: "deleted", because: "claim-has-another" },
    does: ["set-phase", "delete"],
  },
  {
    name: "that is retained stays when its claim is gone",
    volume: volume({ claimRef, persistentVolumeReclaimPolicy: "Retain" }),
    outcome: { kind: "released", because: "retained" },
    does: ["set-phase"],
  },
  {
    name: "goes with its claim, though a new one has the name",
    volume: volume(goes, simulated),
    claim: claim("v", "new"),
    outcome: { kind: "deleted", because: "claim-gone" },
    does: ["set-phase", "delete"],
  },
  {
    name: "is let go by its provisioner once it is deleted",
    volume: volume(goes, { ...simulated, ...deleted, finalizers: [finalizer] }),
    outcome: { kind: "deleted", because: "claim-gone" },
    does: ["set-phase", "remove-finalizer"],
  },
  {
    name: "of another provisioner is left to that",
    volume: volume({ ...goes, csi: { driver: "disks.example.com", volumeHandle: "h" } }),
    outcome: { kind: "released", because: "provisioner-deletes-it" },
    does: ["set-phase"],
  },
  {
    name: "that nobody can delete has failed",
    volume: volume(goes),
    outcome: {
      kind: "failed",
      detail: 'error getting deleter volume plugin for volume "v": no deletable volume plugin matched',
    },
    does: ["set-phase", "event"],
  },
])("a volume $name", ({ volume: given, claim: found, outcome, does }) => {
  const plan = planVolume({ volume: given, claim: found });
  expect(plan.outcome).toEqual(outcome);
  expect(plan.actions.map(({ kind }) => kind)).toEqual(does);
});
