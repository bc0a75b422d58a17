import { expect, test } from "vitest";
import { controllerOf, isControlledBy } from "./owner-references.ts";

const owner = (uid: string, controller?: boolean) => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  name: uid,
  uid,
  ...(controller === undefined ? {} : { controller }),
});

test.for([
  { name: "absent without references", metadata: {}, want: undefined },
  {
    name: "absent among owners that are not controllers",
    metadata: { ownerReferences: [owner("a"), owner("b", false)] },
    want: undefined,
  },
  { name: "the one that says so", metadata: { ownerReferences: [owner("a"), owner("b", true)] }, want: "b" },
  {
    name: "the first of two",
    metadata: { ownerReferences: [owner("a", true), owner("b", true)] },
    want: "a",
  },
])("the controller is $name", ({ metadata, want }) => {
  expect(controllerOf({ metadata })?.uid).toBe(want);
  expect([isControlledBy({ metadata }, "a"), isControlledBy({ metadata }, "b")]).toEqual([
    want === "a",
    want === "b",
  ]);
});
