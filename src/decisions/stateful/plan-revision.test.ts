import { expect, test } from "vitest";
import { hashRevision, revisionDataOf } from "../revisions/revision-data.ts";
import { podTemplate } from "../../testing/deployment.ts";
import { planRevision } from "./plan-revision.ts";
import { imageOf, planned, revision, stateOf } from "./stateful-state.cases.ts";

test("a new template gets a revision with the next number, a name by its hash, and the labels of the template", () => {
  const { action, update, current } = planRevision(stateOf({ template: "R2", revisions: "R1" }));
  const name = `web-${hashRevision(revisionDataOf(podTemplate(imageOf("R2"))), 0)}`;
  expect(action).toMatchObject({
    kind: "create-revision",
    collisionCount: 0,
    revision: {
      revision: 2,
      metadata: {
        name,
        labels: { app: "web", "controller.kubernetes.io/hash": name.slice(4) },
        ownerReferences: [{ kind: "StatefulSet", name: "web" }],
      },
    },
  });
  expect([update.name, current.name]).toEqual([name, "R1"]);
});

test("a collision leads to another name, and leaves the label with the hash of the first one", () => {
  const state = stateOf({ template: "R2", revisions: "R1" });
  const names = [undefined, 1, 2].map((collisionCount) => {
    const { action } = planRevision({ ...state, collisionCount });
    if (action?.kind !== "create-revision") return {};
    const { name, labels } = action.revision.metadata;
    return { name, hash: labels?.["controller.kubernetes.io/hash"] };
  });
  expect(new Set(names.map(({ name }) => name)).size).toBe(3);
  expect(new Set(names.map(({ hash }) => hash)).size).toBe(1);
});

test("a template that was wanted before makes its revision the newest one", () => {
  expect(planRevision(stateOf({ template: "R1", revisions: "R1 R2" }))).toMatchObject({
    action: { kind: "renumber-revision", revision: { metadata: { name: "R1" } }, to: 3 },
    update: { name: "R1" },
  });
});

test("the newest revision is used again, also if it was written in another way", () => {
  const state = stateOf({ template: "R2", revisions: "R1" });
  const other = { ...podTemplate(imageOf("R2")), metadata: { labels: { app: "web" }, annotations: {} } };
  const written = { ...revision("R2", 2), data: revisionDataOf(other) };
  const plan = planRevision({ ...state, revisions: [...state.revisions, written] });
  expect([plan.action, plan.update.name]).toEqual([undefined, "R2"]);
});

test("the current revision is the one in the status, or else the new one", () => {
  expect(planRevision(stateOf({ template: "R2", revisions: "R1 R2" })).current.name).toBe("R1");
  expect(planRevision(stateOf({ template: "R2", revisions: "R1 R2", current: "gone" })).current.name).toBe(
    "R2",
  );
});

test.for([
  { limit: 2, obsolete: ["R1", "R2"] },
  { limit: 0, obsolete: ["R1", "R2", "R3", "R4"] },
  { limit: -1, obsolete: [] },
])("a history limit of $limit makes $obsolete obsolete", ({ limit, obsolete }) => {
  const pods = "0✓@R5 1✓@R5 2✓@R5";
  const given = { template: "R5", revisions: "R1 R2 R3 R4 R5", current: "R5", pods };
  expect(planned({ ...given, spec: { revisionHistoryLimit: limit } }).obsolete).toEqual(obsolete);
});

test("revisions of Pods and of the status are kept", () => {
  const given = { template: "R5", revisions: "R1 R2 R3 R4 R5", current: "R2", pods: "0✓@R1 1✓@R5 2✓@R5" };
  expect(planned({ ...given, spec: { revisionHistoryLimit: 0 } }).obsolete).toEqual(["R3", "R4"]);
});

test("a set that is being deleted gets no new revision, and keeps the one in its status", () => {
  const plan = planned({
    template: "R2",
    deletedAt: "2026-01-01T00:00:00Z",
    status: { updateRevision: "R1" },
  });
  expect([plan.revision, plan.status.updateRevision]).toEqual([undefined, "R1"]);
});
