import * as fc from "fast-check";
import type { PersistentVolume, PersistentVolumeClaim, PodSpec } from "../../src/api/generated/core-v1.ts";
import type { StorageClass } from "../../src/api/generated/storage-v1.ts";

const zone = "topology.kubernetes.io/zone";
/** Few names, so that Pods, claims and volumes meet. */
const claimNames = ["c1", "c2", "c3"];
const volumeNames = ["v1", "v2", "v3", "v4"];

const metadataOf = (name: string) => ({ name, uid: `uid-of-${name}`, resourceVersion: "1" });

/** Claims of `soon` are bound at once, those of `late` when their Pod has a node; in the zones z1 and z2 on demand. */
export const storageClasses: readonly StorageClass[] = [
  { metadata: metadataOf("soon"), provisioner: "p", volumeBindingMode: "Immediate" },
  {
    metadata: metadataOf("late"),
    provisioner: "p",
    volumeBindingMode: "WaitForFirstConsumer",
    allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: ["z1", "z2"] }] }],
  },
];

const modes = fc.constantFrom(
  ["ReadWriteOnce"],
  ["ReadWriteOnce"],
  ["ReadWriteOnce", "ReadOnlyMany"],
  ["ReadWriteOncePod"],
);
const size = fc.constantFrom("1Gi", "2Gi", "5Gi");

/** Most Pods have no claims. */
export const podVolumes: fc.Arbitrary<PodSpec["volumes"]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc
      .uniqueArray(fc.constantFrom(...claimNames), { minLength: 1, maxLength: 2 })
      .map((names) => names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }))),
  },
);

/** A claim that waits, or one that has a volume, which may be gone. */
export const anyClaim: fc.Arbitrary<PersistentVolumeClaim> = fc
  .record({
    name: fc.constantFrom(...claimNames),
    storageClassName: fc.constantFrom("soon", "late", "late"),
    accessModes: modes,
    storage: size,
    volumeName: fc.constantFrom("", "", ...volumeNames),
    selected: fc.constantFrom(undefined, undefined, undefined, "n1"),
    isDeleted: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ name, storage, volumeName, selected, isDeleted, ...spec }) => ({
    metadata: {
      ...metadataOf(name),
      namespace: "default",
      ...(selected !== undefined && { annotations: { "volume.kubernetes.io/selected-node": selected } }),
      ...(isDeleted && { deletionTimestamp: "2026-01-02T00:00:00Z" }),
    },
    spec: { ...spec, resources: { requests: { storage } }, ...(volumeName !== "" && { volumeName }) },
    status: { phase: volumeName === "" ? "Pending" : "Bound" },
  }));

/** A volume in some zones, by affinity, by label or not at all. */
export const anyVolume: fc.Arbitrary<PersistentVolume> = fc
  .record({
    name: fc.constantFrom(...volumeNames),
    storage: size,
    accessModes: modes,
    storageClassName: fc.constantFrom("soon", "late", "late"),
    zones: fc.constantFrom(undefined, undefined, ["z1"], ["z2", "z3"]),
    label: fc.constantFrom(undefined, undefined, undefined, "z1", "z1__z2"),
    isTaken: fc.constantFrom(false, false, true),
    phase: fc.constantFrom("Available", "Available", "Available", "Pending"),
  })
  .map(({ name, storage, zones, label, isTaken, phase, ...spec }) => ({
    metadata: { ...metadataOf(name), ...(label !== undefined && { labels: { [zone]: label } }) },
    spec: {
      ...spec,
      capacity: { storage },
      ...(isTaken && { claimRef: { namespace: "default", name: "someone", uid: "else" } }),
      ...(zones !== undefined && {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: "In", values: zones }] }],
          },
        },
      }),
    },
    status: { phase },
  }));
