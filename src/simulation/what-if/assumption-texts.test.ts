import { expect, test } from "vitest";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { deployment } from "../../testing/deployment.ts";
import { pod } from "../../testing/pod.ts";
import { statefulSet } from "../../testing/stateful-set.ts";
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

test("the order of removals is assumed only where Pods go by one", () => {
  const sentences = (objects: Partial<typeof noObjects>) =>
    assumptionTexts({ takenAt: 0, isAnonymised: false, objects: { ...noObjects, ...objects } }, assumed);
  const order = expect.stringMatching("^Pods go in the order of ") as string;
  expect(sentences({ deployments: [deployment("web")] })).toContainEqual(order);
  expect(sentences({ statefulSets: [statefulSet("db")] })).not.toContainEqual(order);
});
