import { expect, test } from "vitest";
import type { PersistentVolumeSpec } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { persistentVolumeStrategy } from "./strategy.ts";

test("a PersistentVolume is kept when its claim is deleted, unless it says otherwise", () => {
  expect(persistentVolumeStrategy.defaults?.({ metadata: {} })).toEqual({
    metadata: {},
    spec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" },
  });
  const spec = { persistentVolumeReclaimPolicy: "Delete", volumeMode: "Block" };
  expect(persistentVolumeStrategy.defaults?.({ metadata: {}, spec })).toEqual({ metadata: {}, spec });
});

const disk: Sent<PersistentVolumeSpec> = {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  hostPath: { path: "/data" },
  volumeMode: "Filesystem",
};

test.for<{ name: string; spec: Sent<PersistentVolumeSpec>; want: string[] }>([
  { name: "says what it is", spec: disk, want: [] },
  {
    name: "says nothing",
    spec: {},
    want: [
      "spec.accessModes: Required value",
      "spec.capacity: Required value",
      "spec: Required value: must specify a volume type",
    ],
  },
  {
    name: "makes no sense",
    spec: {
      ...disk,
      capacity: { storage: "0" },
      csi: { driver: "d", volumeHandle: "h" },
      persistentVolumeReclaimPolicy: "Burn",
      nodeAffinity: {},
      volumeMode: "Tape",
    },
    want: [
      'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"',
      "spec.nodeAffinity.required: Required value: must specify required node constraints",
      "spec.csi: Forbidden: may not specify more than 1 volume type",
      'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
    ],
  },
])("a PersistentVolume that $name", ({ spec, want }) => {
  expect(problemsOf(persistentVolumeStrategy, { spec })).toEqual(want);
});

test("what is behind a PersistentVolume, and where, does not change", () => {
  const nodeAffinity = { required: { nodeSelectorTerms: [{ matchFields: [] }] } };
  const previous = { spec: { ...disk, nodeAffinity } };
  const next = { spec: { ...disk, hostPath: { path: "/other" }, volumeMode: "Block" } };
  expect(problemsOfUpdate(persistentVolumeStrategy, next, previous)).toEqual([
    "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation",
    'volumeMode: Invalid value: "Block": field is immutable',
    "nodeAffinity: Invalid value: null: field is immutable",
  ]);
});
