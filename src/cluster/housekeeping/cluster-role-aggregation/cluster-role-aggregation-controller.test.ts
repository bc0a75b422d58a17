import { expect, onTestFinished, test } from "vitest";
import type { PolicyRule } from "../../../api/generated/rbac-v1.ts";
import { clusterRoles } from "../../../api/resources.ts";
import { testCluster } from "../../../testing/test-cluster.ts";

async function start() {
  const cluster = await testCluster({ seed: "roles" });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  await clock.settle();
  const rulesOf = async (name: string) => (await client.get(clusterRoles, { name })).rules ?? [];
  return { client, clock, rulesOf };
}

const watchParts: PolicyRule = { apiGroups: ["parts.example.com"], resources: ["parts"], verbs: ["watch"] };
const label = (role: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${role}`]: "true" });

test("a new cluster has the roles of Kubernetes, whose aggregated rules are complete", async () => {
  const { client, rulesOf } = await start();
  // The controller had nothing to write: the API server stored them like that.
  const { metadata } = await client.get(clusterRoles, { name: "admin" });
  expect(metadata.managedFields).toHaveLength(1);
  const allows = async (role: string, verb: string, resource: string) =>
    (await rulesOf(role)).some(
      ({ verbs, resources = [] }) => verbs.includes(verb) && resources.includes(resource),
    );
  expect(await allows("view", "get", "pods/log")).toBe(true);
  expect(await allows("view", "get", "secrets")).toBe(false);
  expect(await allows("edit", "get", "secrets")).toBe(true);
  expect(await allows("edit", "create", "rolebindings")).toBe(false);
  expect(await allows("admin", "create", "rolebindings")).toBe(true);
  expect(await allows("admin", "get", "pods/log")).toBe(true);
});

test("the rules of a role that is labelled reach the roles it is aggregated to, and leave with it", async () => {
  const { client, clock, rulesOf } = await start();
  await client.create(clusterRoles, {
    metadata: { name: "parts", labels: label("view") },
    rules: [watchParts],
  });
  await clock.settle();
  for (const name of ["view", "edit", "admin"]) expect(await rulesOf(name)).toContainEqual(watchParts);
  await client.delete(clusterRoles, { name: "parts" });
  await clock.settle();
  for (const name of ["view", "edit", "admin"]) expect(await rulesOf(name)).not.toContainEqual(watchParts);
});
