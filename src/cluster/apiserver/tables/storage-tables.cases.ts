import { grouped, type TableCase, v1 } from "./table-case.cases.ts";

/** Volumes, and what Pods mount. */
export const storageTables: readonly TableCase[] = [
  {
    name: "a claim without a volume",
    of: v1("PersistentVolumeClaim"),
    object: {
      spec: { storageClassName: "fast", volumeMode: "Filesystem", accessModes: ["ReadWriteOnce"] },
      status: { phase: "Pending" },
    },
    want: ["Pending", "", "", "", "fast", "<unset>", "AGE", "Filesystem"],
  },
  {
    name: "a claim with one",
    of: v1("PersistentVolumeClaim"),
    object: {
      spec: { volumeName: "v-1" },
      status: {
        phase: "Bound",
        capacity: { storage: "1Gi" },
        accessModes: ["ReadOnlyMany", "ReadWriteOnce"],
      },
    },
    want: ["Bound", "v-1", "1Gi", "RWO,ROX", "", "<unset>", "AGE", "<unset>"],
  },
  {
    name: "a ConfigMap",
    of: v1("ConfigMap"),
    object: { data: { a: "1" }, binaryData: { b: "", c: "" } },
    want: [3, "AGE"],
  },
  {
    name: "a Secret",
    of: v1("Secret"),
    object: { type: "Opaque", data: { a: "MQ==" } },
    want: ["Opaque", 1, "AGE"],
  },
  {
    name: "a volume",
    of: v1("PersistentVolume"),
    object: {
      spec: {
        capacity: { storage: "5Gi" },
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        claimRef: { namespace: "default", name: "data" },
        storageClassName: "fast",
        volumeMode: "Filesystem",
      },
      status: { phase: "Bound" },
    },
    want: ["5Gi", "RWO", "Retain", "Bound", "default/data", "fast", "<unset>", "", "AGE", "Filesystem"],
  },
  {
    name: "a driver",
    of: grouped("storage.k8s.io", "CSIDriver"),
    object: { spec: { attachRequired: false, volumeLifecycleModes: ["Persistent", "Ephemeral"] } },
    want: [false, false, false, "<unset>", false, "Persistent,Ephemeral", "AGE"],
  },
  {
    name: "the drivers of a node",
    of: grouped("storage.k8s.io", "CSINode"),
    object: { spec: { drivers: [{}, {}] } },
    want: [2, "AGE"],
  },
  {
    name: "an attached volume",
    of: grouped("storage.k8s.io", "VolumeAttachment"),
    object: { spec: { attacher: "a", source: { persistentVolumeName: "pv" }, nodeName: "n1" } },
    want: ["a", "pv", "n1", false, "AGE"],
  },
];
