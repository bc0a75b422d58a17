import { expect, test } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import { node } from "../../testing/node.ts";
import { type ClaimAction, type ClaimState, planClaim } from "./plan-claim.ts";

const meta = (name: string, annotations?: Record<string, string>) => ({
  name,
  uid: `uid-of-${name}`,
  resourceVersion: "1",
  ...(annotations !== undefined && { annotations }),
});

function claim(
  spec: Partial<PersistentVolumeClaim["spec"]> = {},
  annotations?: Record<string, string>,
): PersistentVolumeClaim {
  const sized = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "4Gi" } } };
  return {
    metadata: { ...meta("data", annotations), namespace: "default" },
    spec: { ...sized, storageClassName: "fast", ...spec },
    status: { phase: "Pending" },
  };
}

function volume(name: string, spec: Partial<PersistentVolume["spec"]> = {}): PersistentVolume {
  const usual = { accessModes: ["ReadWriteOnce"], capacity: { storage: "5Gi" }, storageClassName: "fast" };
  return { metadata: meta(name), spec: { ...usual, ...spec }, status: { phase: "Available" } };
}

function storageClass(more: Partial<StorageClass> = {}): StorageClass {
  return { metadata: meta("fast"), provisioner: "sim.trimtab.dev/volumes", ...more };
}

const late = storageClass({ volumeBindingMode: "WaitForFirstConsumer" });
const selected = { "volume.kubernetes.io/selected-node": "n1" };
const completed = { "pv.kubernetes.io/bind-completed": "yes" };
const ref = (uid?: string) => ({ namespace: "default", name: "data", ...(uid !== undefined && { uid }) });

/** The kinds of actions, and the reasons of events. */
const summary = (actions: readonly ClaimAction[]) =>
  actions.map((action) => (action.kind === "event" ? action.reason : action.kind));

test.for<{ name: string; state: Partial<ClaimState>; outcome: object; does: readonly string[] }>([
  {
    name: "of a late class without a Pod waits for one",
    state: { storageClass: late },
    outcome: { kind: "waits", for: "first-consumer" },
    does: ["WaitForFirstConsumer", "set-phase"],
  },
  {
    name: "of a late class whose Pods have no node waits for them",
    state: { storageClass: late, waitingPods: ["a", "b"] },
    outcome: { kind: "waits", for: "pod-scheduled", detail: "pods a,b" },
    does: ["WaitForPodScheduled", "set-phase"],
  },
  {
    name: "of a late class takes no volume by itself",
    state: {
      storageClass: late,
      claim: claim({}, selected),
      available: [volume("v")],
      selectedNode: node("n1"),
    },
    outcome: { kind: "provisioned", volume: "pvc-uid-of-data", node: "n1" },
    does: [
      "ask-provisioner",
      "ExternalProvisioning",
      "Provisioning",
      "create-volume",
      "ProvisioningSucceeded",
    ],
  },
  {
    name: "whose selected node is gone gives it back",
    state: { storageClass: late, claim: claim({}, selected) },
    outcome: { kind: "waits", for: "provisioning-to-succeed", detail: 'node "n1" not found' },
    does: [
      "ask-provisioner",
      "ExternalProvisioning",
      "ProvisioningFailed",
      "drop-selected-node",
      "set-phase",
    ],
  },
  {
    name: "takes the volume that is kept for it",
    state: { storageClass: late, reserved: volume("kept", { claimRef: ref() }) },
    outcome: { kind: "bound", volume: "kept", because: "kept-for-it" },
    does: ["bind"],
  },
  {
    name: "takes the smallest volume with the fewest access modes",
    state: {
      storageClass: storageClass(),
      available: [
        volume("shared", { accessModes: ["ReadWriteOnce", "ReadWriteMany"], capacity: { storage: "4Gi" } }),
        volume("large", { capacity: { storage: "10Gi" } }),
        volume("fits"),
        volume("small", { capacity: { storage: "3Gi" } }),
      ],
    },
    outcome: { kind: "bound", volume: "fits", because: "best-fit" },
    does: ["bind"],
  },
  {
    name: "takes only volumes that its selector selects",
    state: {
      claim: claim({ selector: { matchLabels: { tier: "gold" } } }),
      storageClass: storageClass({ provisioner: "kubernetes.io/no-provisioner" }),
      available: [volume("plain")],
    },
    outcome: { kind: "waits", for: "a-volume" },
    does: ["ProvisioningFailed", "set-phase"],
  },
  {
    name: "of another provisioner waits for that",
    state: { storageClass: storageClass({ provisioner: "disks.example.com" }) },
    outcome: { kind: "waits", for: "external-provisioner", detail: "disks.example.com" },
    does: ["ask-provisioner", "ExternalProvisioning", "set-phase"],
  },
  {
    name: "of a class that does not exist waits for it",
    state: {},
    outcome: { kind: "waits", for: "a-class", detail: "fast" },
    does: ["ProvisioningFailed", "set-phase"],
  },
  {
    name: "without a class gets the default one",
    state: { claim: claim({ storageClassName: undefined } as object), defaultClass: late },
    outcome: { kind: "classified", storageClass: "fast" },
    does: ["assign-class"],
  },
  {
    name: "that asks for no class gets none",
    state: { claim: claim({ storageClassName: "" }), defaultClass: late },
    outcome: { kind: "waits", for: "a-volume" },
    does: ["FailedBinding", "set-phase"],
  },
  {
    name: "gets the volume that it names",
    state: { claim: claim({ volumeName: "v" }), named: volume("v") },
    outcome: { kind: "bound", volume: "v", because: "named" },
    does: ["bind"],
  },
  ...(
    [
      [{ capacity: { storage: "1Gi" } }, "requested PV is too small"],
      [{ storageClassName: "slow" }, "storageClassName does not match"],
      [{ volumeMode: "Block" }, "incompatible volumeMode"],
      [{ accessModes: ["ReadOnlyMany"] }, "incompatible accessMode"],
    ] as const
  ).map(([spec, detail]) => ({
    name: `does not get the volume that it names: ${detail}`,
    state: { claim: claim({ volumeName: "v" }), named: volume("v", spec) },
    outcome: { kind: "waits", for: "the-named-volume", detail },
    does: ["VolumeMismatch", "set-phase"],
  })),
  {
    name: "does not get a volume that another claim has",
    state: { claim: claim({ volumeName: "v" }), named: volume("v", { claimRef: ref("other") }) },
    outcome: {
      kind: "waits",
      for: "the-named-volume",
      detail: 'volume "v" already bound to a different claim.',
    },
    does: ["FailedBinding", "set-phase"],
  },
  {
    name: "whose volume is gone is lost",
    state: { claim: claim({ volumeName: "v" }, completed) },
    outcome: {
      kind: "lost",
      detail: "Bound claim has lost its PersistentVolume. Data on the volume is lost!",
    },
    does: ["set-phase", "ClaimLost"],
  },
  {
    name: "whose volume another claim has is lost",
    state: { claim: claim({ volumeName: "v" }, completed), named: volume("v", { claimRef: ref("other") }) },
    outcome: {
      kind: "lost",
      detail: "Two claims are bound to the same volume, this one is bound incorrectly",
    },
    does: ["set-phase", "ClaimMisbound"],
  },
  {
    name: "that is being deleted gets nothing",
    state: {
      claim: { ...claim(), metadata: { ...meta("data"), deletionTimestamp: "2026-01-01T00:00:00Z" } },
      storageClass: storageClass(),
    },
    outcome: { kind: "waits", for: "its-deletion" },
    does: [],
  },
])("a claim $name", ({ state, outcome, does }) => {
  const plan = planClaim({ claim: claim(), available: [], waitingPods: [], nodes: [node("n1")], ...state });
  expect(plan.outcome).toEqual(outcome);
  expect(summary(plan.actions)).toEqual(does);
});
