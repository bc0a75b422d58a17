import { expect, test } from "vitest";
import type { PersistentVolumeClaimSpec } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
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
