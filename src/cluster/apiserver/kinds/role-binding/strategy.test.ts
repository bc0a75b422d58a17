import { expect, test } from "vitest";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./strategy.ts";

const admin = { kind: "ClusterRole", name: "admin" };
const jane = { kind: "User", name: "jane" };

test("a binding needs no group for roles and users", () => {
  expect(problemsOf(roleBindingStrategy, { roleRef: admin, subjects: [jane] })).toEqual([]);
  expect(problemsOf(clusterRoleBindingStrategy, { roleRef: admin })).toEqual([]);
});

test("a binding names a role and who has it", () => {
  expect(
    problemsOf(clusterRoleBindingStrategy, {
      roleRef: { kind: "Role" },
      subjects: [{ kind: "Robot" }, { kind: "ServiceAccount", name: "default" }],
    }),
  ).toEqual([
    'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    "roleRef.name: Required value",
    "subjects[0].name: Required value",
    'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    "subjects[1].namespace: Required value",
  ]);
});

test("a binding keeps its role", () => {
  const other = { ...admin, name: "view" };
  expect(problemsOfUpdate(roleBindingStrategy, { roleRef: other }, { roleRef: admin })).toEqual([
    'roleRef: Invalid value: {"kind":"ClusterRole","name":"view"}: cannot change roleRef',
  ]);
});
