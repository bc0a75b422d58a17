import { expect, test } from "vitest";
import { matchesAnyRule, type RuleSubject } from "./match-rules.ts";

const replicaSets = { group: "apps", version: "v1", plural: "replicasets", namespaced: true };
const nodes = { group: "", version: "v1", plural: "nodes", namespaced: false };
const all = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"] };

test.for<{ name: string; rule: object; subject?: Partial<RuleSubject>; want: boolean }>([
  { name: "the resource itself", rule: { resources: ["replicasets"] }, want: true },
  { name: "another resource", rule: { resources: ["deployments"] }, want: false },
  { name: "one of several", rule: { resources: ["deployments", "replicasets"] }, want: true },
  { name: "any resource", rule: { resources: ["*"] }, want: true },
  {
    name: "any resource, not its subresources",
    rule: { resources: ["*"] },
    subject: { subresource: "scale" },
    want: false,
  },
  {
    name: "the subresource",
    rule: { resources: ["replicasets/scale"] },
    subject: { subresource: "scale" },
    want: true,
  },
  {
    name: "another subresource",
    rule: { resources: ["replicasets/status"] },
    subject: { subresource: "scale" },
    want: false,
  },
  {
    name: "the resource, not the subresource",
    rule: { resources: ["replicasets"] },
    subject: { subresource: "scale" },
    want: false,
  },
  { name: "the subresource, not the resource", rule: { resources: ["replicasets/scale"] }, want: false },
  {
    name: "any subresource",
    rule: { resources: ["replicasets/*"] },
    subject: { subresource: "scale" },
    want: true,
  },
  {
    name: "the subresource of anything",
    rule: { resources: ["*/scale"] },
    subject: { subresource: "scale" },
    want: true,
  },
  { name: "everything", rule: { resources: ["*/*"] }, subject: { subresource: "scale" }, want: true },
  { name: "everything, the object itself too", rule: { resources: ["*/*"] }, want: true },
  { name: "the operation", rule: { operations: ["CREATE", "UPDATE"], resources: ["*"] }, want: true },
  { name: "another operation", rule: { operations: ["CREATE"], resources: ["*"] }, want: false },
  { name: "the group", rule: { apiGroups: ["apps"], resources: ["*"] }, want: true },
  { name: "the core group", rule: { apiGroups: [""], resources: ["*"] }, want: false },
  { name: "another version", rule: { apiVersions: ["v1beta1"], resources: ["*"] }, want: false },
  { name: "a namespaced one", rule: { scope: "Namespaced", resources: ["*"] }, want: true },
  { name: "a cluster-scoped one", rule: { scope: "Cluster", resources: ["*"] }, want: false },
  {
    name: "a node as cluster-scoped",
    rule: { scope: "Cluster", resources: ["*"] },
    subject: { resource: nodes },
    want: true,
  },
  {
    name: "a node as namespaced",
    rule: { scope: "Namespaced", resources: ["*"] },
    subject: { resource: nodes },
    want: false,
  },
  { name: "either scope", rule: { scope: "*", resources: ["*"] }, subject: { resource: nodes }, want: true },
  { name: "nothing", rule: {}, want: false },
])("a rule for $name: $want", ({ rule, subject, want }) => {
  const update: RuleSubject = { operation: "UPDATE", resource: replicaSets, subresource: "", ...subject };
  expect(matchesAnyRule([{ ...all, ...rule }], update)).toBe(want);
});

test("a webhook without rules is never asked", () => {
  expect(matchesAnyRule(undefined, { operation: "CREATE", resource: nodes, subresource: "" })).toBe(false);
});
