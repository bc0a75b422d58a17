import { expect, test } from "vitest";
import { claim, type Given, now, stateOf } from "../stateful/stateful-state.cases.ts";
import { noObjects } from "./cluster-objects.ts";
import { explainStatefulSet } from "./explain-stateful-set.ts";
import { statefulSetText } from "./stateful-set-text.ts";

const workload = { kind: "StatefulSet", namespace: "default", name: "web" } as const;

/** The lines of the explanation, without the spaces of the table. */
function explained(given: Given, replicas?: number): readonly string[] {
  const { set, pods, revisions } = stateOf(given);
  const ownerReferences = pods[0]?.metadata.ownerReferences ?? [];
  const owned = revisions.map((one) => ({ ...one, metadata: { ...one.metadata, ownerReferences } }));
  const { claims: persistentVolumeClaims = [] } = given;
  const sets = { statefulSets: [set], controllerRevisions: owned };
  const objects = { ...noObjects, ...sets, pods, persistentVolumeClaims };
  const explanation = explainStatefulSet(objects, { workload, now, replicas });
  return (explanation === undefined ? "" : statefulSetText(explanation))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll(/ +/g, " ").trim());
}

test("a rollout says which ordinal goes next, and what becomes of the others", () => {
  expect(explained({ template: "R2", revisions: "R1 R2", partition: 1, pods: "0✓ 1✓ 2✓@R2" })).toEqual([
    "StatefulSet default/web: next goes web-1.",
    "3 replicas wanted, ordinals 0 to 2, OrderedReady, updated 1 at a time down to index 1.",
    "It waits:",
    "1 Pod below partition 1 at the old revision, to stay there",
    "POD STATE REVISION NEXT WHY",
    "web-2 available R2 -",
    "web-1 available R1 delete it is at revision R1, the update is to R2",
    "web-0 available R1 - stays, below partition 1",
  ]);
});

test("a stuck rollout says which Pod has to be deleted", () => {
  const lines = explained({ revisions: "R2 R1", pods: "0✓ 1✓ 2✗@R2" });
  expect(lines[0]).toBe("StatefulSet default/web: nothing is done at the moment.");
  expect(lines).toContain(
    "web-2 is at revision R2, which is no longer wanted, and is not replaced while it is not ready: delete it",
  );
});

test("a scale-down goes by ordinals, and says what becomes of claims", () => {
  const lines = explained({ pods: "0✓ 1✓ 2✓", spec: { volumeClaimTemplates: [claim("data")] } }, 1);
  expect(lines.slice(-3)).toEqual([
    "web-2 available R1 delete its ordinal is not one of 0 to 0; its claims stay",
    "web-1 available R1 - goes in its turn, the highest ordinal first; its claims stay",
    "web-0 available R1 -",
  ]);
});

test("a Pod that is not made yet because of its claim says so", () => {
  const lines = explained({
    pods: "0✓",
    claims: [claim("data-web-1", [], "2026-01-01T00:00:00Z")],
    spec: { volumeClaimTemplates: [claim("data")] },
  });
  expect(lines[0]).toBe("StatefulSet default/web: nothing is done at the moment.");
  expect(lines).toContain("web-1 waits until claim data-web-1 has been deleted");
});

test("a scale-down says which Pod is in the way", () => {
  expect(explained({ pods: "0✗ 1✗ 2✗" }, 0)).toContain(
    "web-2 is to be removed but is unavailable, and so is web-0, which comes first",
  );
});

test("a Pod that is missing is made from the revision that the partition leaves it", () => {
  expect(explained({ template: "R2", revisions: "R1 R2", partition: 2, pods: "1✓" })).toContain(
    "web-0 missing - create it is missing; below the partition, so at revision R1",
  );
});

test("deletion costs and labels are said to change nothing", () => {
  const { set, pods } = stateOf({ pods: "0✓ 1✓ 2✓" });
  const [first, ...others] = pods;
  if (first === undefined) return;
  const labels = { ...first.metadata.labels, "kubernetes.io/prefer-for-scale-down": "true" };
  const marked = { ...first, metadata: { ...first.metadata, labels } };
  const objects = { ...noObjects, statefulSets: [set], pods: [marked, ...others] };
  expect(explainStatefulSet(objects, { workload, now, replicas: 1 })?.notes).toEqual([
    "web-0 has kubernetes.io/prefer-for-scale-down, which changes nothing: ordinals alone decide",
  ]);
});
