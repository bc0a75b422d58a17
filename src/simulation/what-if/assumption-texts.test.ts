import { expect, test } from "vitest";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { pod } from "../../testing/pod.ts";
import { assumptionTexts } from "./assumption-texts.ts";

const assumed = { controllers: "embedded", scheduler: "a scheduler" } as const;

test("the kinds whose Pods are not replaced are named, and no others", () => {
  const pods = ["StatefulSet", "DaemonSet", "Job", "ReplicaSet"].map((kind) =>
    pod(`of-${kind.toLowerCase()}`, { owner: { apiVersion: "apps/v1", kind, name: "web" } }),
  );
  const texts = assumptionTexts(
    { takenAt: 0, isAnonymised: false, objects: { ...noObjects, pods } },
    assumed,
  );
  expect(texts).toContain("Pods of Jobs, StatefulSets that go are not replaced: these are not simulated.");
});
