import { expect, test } from "vitest";
import { findCondition } from "../../../api/conditions.ts";
import { configMaps, deployments } from "../../../api/resources.ts";
import { deletionConditions } from "./deletion-conditions.ts";

const type = "NamespaceContentRemaining";
const remaining = (count: number) => [
  { resource: configMaps, count, finalizers: [] },
  { resource: deployments, count: 1, finalizers: [] },
];

test("a condition keeps its time while only its message changes", () => {
  const first = deletionConditions(undefined, remaining(2), 0);
  const second = deletionConditions(first, remaining(1), 60_000);
  expect(findCondition(second, type)).toEqual({
    type,
    status: "True",
    reason: "SomeResourcesRemain",
    message:
      "Some resources are remaining: configmaps. has 1 resource instances, deployments.apps has 1 resource instances",
    lastTransitionTime: "1970-01-01T00:00:00Z",
  });
  const last = deletionConditions(second, [], 120_000);
  expect(findCondition(last, type)).toMatchObject({
    status: "False",
    lastTransitionTime: "1970-01-01T00:02:00Z",
  });
});

test("conditions of others stay, and an unchanged list is the stored one", () => {
  const other = { type: "example.com/Backup", status: "True" };
  const conditions = deletionConditions([other], [], 0);
  expect(conditions).toHaveLength(6);
  expect(conditions[0]).toBe(other);
  expect(deletionConditions(conditions, [], 60_000)).toBe(conditions);
});
