import { expect, test } from "vitest";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { pod } from "../../testing/pod.ts";
import { assumptionTexts } from "./assumption-texts.ts";

const assumed = { controllers: "embedded", scheduler: "a scheduler" } as const;

test.for([
  { name: "a snapshot", isAnonymised: false, kinds: "Jobs" },
  {
    name: "an anonymised one, whose names have no ordinals",
    isAnonymised: true,
    kinds: "Jobs, StatefulSets",
  },
])("the kinds whose Pods are not replaced are named, and no others, in $name", ({ isAnonymised, kinds }) => {
  const pods = ["StatefulSet", "DaemonSet", "Job", "ReplicaSet"].map((kind) =>
    pod(`of-${kind.toLowerCase()}`, { owner: { apiVersion: "apps/v1", kind, name: "web" } }),
  );
  const texts = assumptionTexts({ takenAt: 0, isAnonymised, objects: { ...noObjects, pods } }, assumed);
  expect(texts).toContain(`Pods of ${kinds} that go are not replaced: these are not simulated.`);
});
