import { expect, test } from "vitest";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { contextWithout, problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { persistentVolumeClaimStrategy } from "./strategy.ts";

const sized = (storage: string) => ({ resources: { requests: { storage } } });

test.for<{ name: string; spec: Sent<PersistentVolumeClaimSpec>; want: string[] }>([
  { name: "says how much and how", spec: { accessModes: ["ReadWriteOnce"], ...sized("1Gi") }, want: [] },
  {
    name: "says nothing",
    spec: {},
    want: [
      "spec.accessModes: Required value: at least 1 access mode is required",
      "spec.resources[storage]: Required value",
    ],
  },
  {
    name: "makes no sense",
    spec: { accessModes: ["Sometimes", "ReadWriteOncePod"], ...sized("0") },
    want: [
      'spec.accessModes: Unsupported value: "Sometimes": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
  },
])("a claim that $name", ({ spec, want }) => {
  expect(problemsOf(persistentVolumeClaimStrategy, { spec })).toEqual(want);
});

const immutableSpec =
  "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
const bound = { phase: "Bound", capacity: { storage: "2Gi" } };

test.for<{
  name: string;
  was?: Sent<PersistentVolumeClaimSpec>;
  status?: Sent<PersistentVolumeClaim>["status"];
  becomes: Sent<PersistentVolumeClaimSpec>;
  want: string[];
}>([
  { name: "stays as it is", becomes: sized("1024Mi"), want: [] },
  { name: "is given a volume", becomes: { volumeName: "disk" }, want: [] },
  {
    name: "is moved to another volume",
    was: { volumeName: "disk" },
    becomes: { volumeName: "other" },
    want: [immutableSpec],
  },
  { name: "is given a storage class", becomes: { storageClassName: "fast" }, want: [] },
  {
    name: "changes its storage class",
    was: { storageClassName: "slow" },
    becomes: { storageClassName: "fast" },
    want: [immutableSpec],
  },
  { name: "is shared suddenly", becomes: { accessModes: ["ReadWriteMany"] }, want: [immutableSpec] },
  { name: "grows before it is bound", becomes: sized("2Gi"), want: [immutableSpec] },
  { name: "grows", status: bound, becomes: sized("3Gi"), want: [] },
  {
    name: "asks for less than it asked for, and more than it has",
    was: sized("5Gi"),
    status: bound,
    becomes: sized("3Gi"),
    want: [],
  },
  {
    name: "shrinks",
    was: sized("5Gi"),
    status: bound,
    becomes: sized("2Gi"),
    want: ["spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"],
  },
  {
    name: "becomes a block device",
    becomes: { volumeMode: "Block" },
    want: [immutableSpec, 'volumeMode: Invalid value: "Block": field is immutable'],
  },
])("a claim that $name", ({ was = {}, status = { phase: "Pending" }, becomes, want }) => {
  const spec = { accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem", ...sized("1Gi"), ...was };
  const next = { spec: { ...spec, ...becomes }, status };
  expect(problemsOfUpdate(persistentVolumeClaimStrategy, next, { spec, status })).toEqual(want);
});

test("a claim for a fraction of a byte, and one with the annotation that a field replaced, are warned about", () => {
  const annotations = { "volume.beta.kubernetes.io/storage-class": "fast" };
  const claim = { metadata: { annotations }, spec: sized("1m") };
  expect(persistentVolumeClaimStrategy.warnings?.(claim, contextWithout())).toEqual([
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    'spec.resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer',
  ]);
});
