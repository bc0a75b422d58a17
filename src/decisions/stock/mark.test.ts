import { expect, test } from "vitest";
import { replicaSet } from "../../testing/replica-set.ts";
import { hasShrunk } from "./mark.ts";

const made = replicaSet("web", {});
const shrunk = {
  ...made,
  metadata: { ...made.metadata, generation: 7 },
  spec: { ...made.spec, replicas: 3 },
  status: { replicas: 3, observedGeneration: 7 },
};

test.each([
  { name: "it has", of: {}, active: 3, is: true },
  {
    name: "its size is not stored yet",
    of: { metadata: { ...shrunk.metadata, generation: 6 } },
    active: 3,
    is: false,
  },
  {
    name: "it has not seen its size",
    of: { status: { ...shrunk.status, observedGeneration: 6 } },
    active: 3,
    is: false,
  },
  { name: "it counts more Pods", of: { status: { ...shrunk.status, replicas: 4 } }, active: 3, is: false },
  { name: "a batch of Pods has gone, and more are to go", of: {}, active: 503, is: false },
])("a ReplicaSet has removed its Pods: $name", ({ of, active, is }) => {
  expect(hasShrunk({ ...shrunk, ...of }, 7, active)).toBe(is);
});
