import { expect, test } from "vitest";
import { replicaSet } from "../testing/replica-set.ts";
import { pickerWorkloadOf } from "./picker-workload.ts";

const ownedBy = (kind: string, name: string) => {
  const owned = replicaSet("web-1");
  const reference = { apiVersion: "apps/v1", kind, name, uid: "owner", controller: true };
  return { ...owned, metadata: { ...owned.metadata, ownerReferences: [reference] } };
};

test.for([
  { name: "its Deployment", owner: ownedBy("Deployment", "web"), want: "Deployment/web" },
  { name: "a controller of another kind", owner: ownedBy("Rollout", "web"), want: "Rollout/web" },
  { name: "itself without one", owner: replicaSet("web-1"), want: "ReplicaSet/web-1" },
  {
    name: "itself if the reference would break out of its header",
    owner: ownedBy("Deployment\r\nX-Forged: 1", "web"),
    want: "ReplicaSet/web-1",
  },
  { name: "itself if the name is none", owner: ownedBy("Deployment", "web\r\n"), want: "ReplicaSet/web-1" },
])("the workload of a ReplicaSet is $name", ({ owner, want }) => {
  const { kind, name } = pickerWorkloadOf(owner);
  expect(`${kind}/${name}`).toBe(want);
});
