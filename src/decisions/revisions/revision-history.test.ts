import { expect, test } from "vitest";
import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import { nextRevisionNumber, revisionsToTruncate, sortedRevisions } from "./revision-history.ts";

const revision = (
  number: number,
  name = `r${number}`,
  createdAt = "2026-01-01T00:00:00Z",
): ControllerRevision => ({
  metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: createdAt },
  revision: number,
});
const names = (revisions: readonly ControllerRevision[]) => revisions.map(({ metadata }) => metadata.name);

test("revisions are sorted by number, age and name", () => {
  const younger = revision(2, "younger", "2026-01-02T00:00:00Z");
  const all = [revision(3), younger, revision(2, "b"), revision(2, "a")];
  expect(names(sortedRevisions(all))).toEqual(["a", "b", "younger", "r3"]);
});

test("the next number follows the highest", () => {
  expect([nextRevisionNumber([]), nextRevisionNumber([revision(2), revision(7), revision(3)])]).toEqual([
    1, 8,
  ]);
});

const five = [5, 3, 1, 2, 4].map((number) => revision(number));
test.for([
  { limit: 2, live: ["r5"], want: ["r1", "r2"] },
  { limit: 0, live: ["r5"], want: ["r1", "r2", "r3", "r4"] },
  { limit: -1, live: ["r5"], want: [] },
  { limit: 1, live: ["r5", "r1"], want: ["r2", "r3"] },
  { limit: 10, live: [], want: [] },
])("a limit of $limit with $live in use deletes $want", ({ limit, live, want }) => {
  expect(names(revisionsToTruncate(five, { live: new Set(live), limit }))).toEqual(want);
});
