import { expect, test } from "vitest";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { storageClassStrategy } from "./strategy.ts";

test("a StorageClass has a provisioner and known policies", () => {
  expect(problemsOf(storageClassStrategy, { provisioner: "example.com/disk" })).toEqual([]);
  expect(problemsOf(storageClassStrategy, { reclaimPolicy: "Recycle", volumeBindingMode: "Never" })).toEqual([
    "provisioner: Required value",
    'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    'volumeBindingMode: Unsupported value: "Never": supported values: "Immediate", "WaitForFirstConsumer"',
  ]);
});
