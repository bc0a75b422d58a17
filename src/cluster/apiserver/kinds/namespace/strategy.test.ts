import { expect, test } from "vitest";
import type { Namespace } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { contextWithout, problemsOf, problemsOfStatus } from "../workload/workload-fixture.cases.ts";
import { namespaceStrategy } from "./strategy.ts";

test("a namespace is labelled with its name, whatever else the label says", () => {
  const sent = { metadata: { name: "games", labels: { a: "b", "kubernetes.io/metadata.name": "x" } } };
  expect(namespaceStrategy.defaults?.(sent).metadata?.labels).toEqual({
    a: "b",
    "kubernetes.io/metadata.name": "games",
  });
  expect(namespaceStrategy.defaults?.({ metadata: { generateName: "a-" } })).toEqual({
    metadata: { generateName: "a-" },
  });
});

test("a new namespace is active and held by its finalizer", () => {
  expect(
    namespaceStrategy.prepareForCreate?.({ status: { phase: "Terminating" } }, contextWithout()),
  ).toEqual({
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
});

test("an update does not let a namespace go", () => {
  const previous = { spec: { finalizers: ["kubernetes"] } };
  expect(namespaceStrategy.prepareForUpdate?.({ next: { spec: {} }, previous }, contextWithout())).toEqual(
    previous,
  );
});

test("a finalizer of a namespace is a known one or says whose it is", () => {
  expect(
    problemsOf(namespaceStrategy, { spec: { finalizers: ["kubernetes", "example.com/x", "mine"] } }),
  ).toEqual([
    'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

test.for<{ name: string; next: Sent<Namespace>; want: string[] }>([
  { name: "is active", next: { status: { phase: "Active" } }, want: [] },
  {
    name: "does not end unasked",
    next: { status: { phase: "Terminating" } },
    want: [
      "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
    ],
  },
  {
    name: "does not come back",
    next: { metadata: { deletionTimestamp: "t" }, status: { phase: "Active" } },
    want: [
      "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
    ],
  },
])("the status of a namespace $name", ({ next, want }) => {
  expect(problemsOfStatus(namespaceStrategy, next, {})).toEqual(want);
});
