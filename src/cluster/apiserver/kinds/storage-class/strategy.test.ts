import { expect, test } from "vitest";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { storageClassStrategy } from "./strategy.ts";

test("a StorageClass has a provisioner and known policies", () => {
  expect(problemsOf(storageClassStrategy, { provisioner: "example.com/disk" })).toEqual([]);
  expect(problemsOf(storageClassStrategy, { reclaimPolicy: "Recycle", volumeBindingMode: "Never" })).toEqual([
    "provisioner: Required value",
    'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    'volumeBindingMode: Unsupported value: "Never": supported values: "Immediate", "WaitForFirstConsumer"',
  ]);
});

test("a StorageClass keeps what volumes were made by, and says where only by labels with values", () => {
  const previous = {
    provisioner: "example.com/disk",
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
  };
  const next = {
    provisioner: "example.com/other",
    reclaimPolicy: "Retain",
    volumeBindingMode: "WaitForFirstConsumer",
    parameters: { type: "fast" },
  };
  expect(problemsOfUpdate(storageClassStrategy, next, previous)).toEqual([
    "parameters: Forbidden: updates to parameters are forbidden.",
    "provisioner: Forbidden: updates to provisioner are forbidden.",
    "reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.",
    'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
  ]);
  const allowedTopologies = [{ matchLabelExpressions: [{ key: "", values: [] }] }];
  expect(problemsOf(storageClassStrategy, { provisioner: "example.com/disk", allowedTopologies })).toEqual([
    "allowedTopologies[0].matchLabelExpressions[0].key: Required value",
    "allowedTopologies[0].matchLabelExpressions[0].values: Required value",
  ]);
});
