import { expect, test } from "vitest";
import type { Namespace } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { occasionWithout, problemsOf, problemsOfStatus } from "../workload/a-workload.cases.ts";
import { namespace } from "./namespace.ts";

test("a namespace is labelled with its name, whatever else the label says", () => {
  const sent = { metadata: { name: "games", labels: { a: "b", "kubernetes.io/metadata.name": "x" } } };
  expect(namespace.defaults?.(sent).metadata?.labels).toEqual({
    a: "b",
    "kubernetes.io/metadata.name": "games",
  });
  expect(namespace.defaults?.({ metadata: { generateName: "a-" } })).toEqual({
    metadata: { generateName: "a-" },
  });
});

test("a new namespace is active and held by its finalizer", () => {
  expect(namespace.prepareForCreate?.({ status: { phase: "Terminating" } }, occasionWithout())).toEqual({
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
});

test("an update does not let a namespace go", () => {
  const previous = { spec: { finalizers: ["kubernetes"] } };
  expect(namespace.prepareForUpdate?.({ next: { spec: {} }, previous }, occasionWithout())).toEqual(previous);
});

test("a finalizer of a namespace is a known one or says whose it is", () => {
  expect(problemsOf(namespace, { spec: { finalizers: ["kubernetes", "example.com/x", "mine"] } })).toEqual([
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
  expect(problemsOfStatus(namespace, next, {})).toEqual(want);
});
