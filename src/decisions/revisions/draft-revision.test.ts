import { expect, test } from "vitest";
import { statefulSets } from "../../api/resources.ts";
import { draftRevision, takenName } from "./draft-revision.ts";
import { revisionDataOf } from "./revision-data.ts";

const template = { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "app", image: "x" }] } };
const set = {
  metadata: {
    name: "db",
    namespace: "default",
    uid: "u",
    resourceVersion: "1",
    annotations: { why: "first" },
  },
  spec: { template },
};
const naming = { resource: statefulSets, name: "db-h", hashLabel: "hash", hash: "h", revision: 1 };
const draft = draftRevision(set, naming);

test("a revision has the labels of the template, the annotations of the workload, and belongs to it", () => {
  expect(draft).toMatchObject({
    metadata: {
      name: "db-h",
      namespace: "default",
      labels: { app: "db", hash: "h" },
      annotations: { why: "first" },
      ownerReferences: [
        { kind: "StatefulSet", name: "db", uid: "u", controller: true, blockOwnerDeletion: true },
      ],
    },
    data: revisionDataOf(template),
    revision: 1,
  });
});

test("a taken name is the revision itself if the data is equal, else the next collision", () => {
  const stored = { ...draft, metadata: { ...draft.metadata, name: "db-h", uid: "r", resourceVersion: "1" } };
  expect(takenName(draft, stored, 0)).toEqual({ kind: "same", revision: stored });
  expect(takenName(draft, { ...stored, data: {} }, 2)).toEqual({ kind: "collision", collisionCount: 3 });
});
