import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { startHttpsTestApiServer } from "../http/https-fixture.contract.ts";

const rbac = "rbac.authorization.k8s.io";
const inNamespace = `/apis/${rbac}/v1/namespaces/default`;
const everywhere = `/apis/${rbac}/v1`;

const rule = (verbs: readonly string[], resources: readonly string[], rest: JsonObject = {}): JsonObject => ({
  apiGroups: [""],
  resources,
  verbs,
  ...rest,
});
const granting = { apiGroups: [rbac], resources: ["*"], verbs: ["create", "update", "patch", "get"] };

/** A server on which jane may read Pods, write roles and bindings, and what `extra` allows besides. */
async function worldOfJane(...extra: readonly JsonObject[]) {
  const { request, call } = await startHttpsTestApiServer();
  const rules = [rule(["get", "list"], ["pods"]), granting, ...extra];
  await request(`POST ${everywhere}/clusterroles`, { metadata: { name: "jane" }, rules });
  await request(`POST ${everywhere}/clusterroles`, { metadata: { name: "reader" }, rules: [rules[0] ?? {}] });
  const keys = [rule(["get"], ["secrets"])];
  await request(`POST ${everywhere}/clusterroles`, { metadata: { name: "keys" }, rules: keys });
  await request(`POST ${everywhere}/clusterrolebindings`, binding("jane", "jane"));
  await request(`POST ${everywhere}/clusterrolebindings`, { ...binding("keepers", "keys"), subjects: [] });
  const sums = { ...roleOf(), metadata: { name: "sum" }, aggregationRule };
  await request(`POST ${everywhere}/clusterroles`, sums);
  return async (what: string, body: JsonObject) => {
    const headers = {
      "impersonate-user": "jane",
      "content-type": what.startsWith("PATCH") ? "application/merge-patch+json" : "application/json",
    };
    const answer = await call(what, { headers, body: JSON.stringify(body) });
    const { message = "" } = JSON.parse(answer.text) as { message?: string };
    return { code: answer.code, message };
  };
}

const binding = (name: string, role: string): JsonObject => ({
  metadata: { name },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
  subjects: [{ apiGroup: rbac, kind: "User", name: "jane" }],
});
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
const roleOf = (...rules: readonly JsonObject[]): JsonObject => ({ metadata: { name: "new" }, rules });
const escalating = { apiGroups: [rbac], resources: ["roles"], verbs: ["escalate"] };
const bindingAny = {
  apiGroups: [rbac],
  resources: ["clusterroles"],
  verbs: ["bind"],
  resourceNames: ["keys"],
};

test.for<{ name: string; rules: readonly JsonObject[]; missing?: string; extra?: readonly JsonObject[] }>([
  { name: "what the user may do", rules: [rule(["get"], ["pods"]), rule(["list"], ["pods"])] },
  { name: "some of it, by name", rules: [rule(["get"], ["pods"], { resourceNames: ["a"] })] },
  {
    name: "another verb",
    rules: [rule(["get", "delete", "patch"], ["pods"])],
    missing: '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "patch"]}',
  },
  {
    name: "other resources",
    rules: [rule(["get"], ["secrets", "pods", "pods/log"])],
    missing:
      '{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  },
  {
    name: "everything",
    rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
    missing: '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
  },
  {
    name: "all of what the user may do to one object",
    rules: [rule(["get"], ["configmaps"])],
    extra: [rule(["get"], ["configmaps"], { resourceNames: ["a"] })],
    missing: '{APIGroups:[""], Resources:["configmaps"], Verbs:["get"]}',
  },
  {
    name: "all of what the user may do to an object without a name",
    rules: [rule(["get"], ["configmaps"])],
    extra: [rule(["get"], ["configmaps"], { resourceNames: [""] })],
    missing: '{APIGroups:[""], Resources:["configmaps"], Verbs:["get"]}',
  },
  {
    name: "verbs of a resource in several rules",
    rules: [rule(["get"], ["secrets"]), rule(["list"], ["secrets"])],
    missing: '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
  },
  { name: "anything, with the verb escalate", rules: [rule(["*"], ["*"])], extra: [escalating] },
])("a role with $name is created only if the user may grant it", async ({ rules, missing, extra = [] }) => {
  const asJane = await worldOfJane(...extra);
  const { code, message } = await asJane(`POST ${inNamespace}/roles`, roleOf(...rules));
  expect({ code, message }).toEqual(
    missing === undefined
      ? { code: 201, message: "" }
      : {
          code: 403,
          message: `roles.${rbac} "new" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${missing}`,
        },
  );
});

const hundred = (of: string) => Array.from({ length: 100 }, (_, index) => `${of}${index}`);
const wide = {
  apiGroups: hundred("g"),
  resources: hundred("r"),
  verbs: hundred("v"),
  resourceNames: hundred("n"),
};

test.for([
  { name: "refused to those who have none of them", held: [], code: 403 },
  {
    name: "refused to those who lack one",
    held: [{ ...wide, verbs: wide.verbs.slice(1) }],
    code: 403,
  },
  { name: "given by those who have a rule with all of them", held: [{ ...wide, verbs: ["*"] }], code: 201 },
  {
    name: "given by those who may do so to any object",
    held: [{ apiGroups: ["*"], resources: ["*"], verbs: wide.verbs }],
    code: 201,
  },
])("a hundred million rights in one rule are $name, without counting them", async ({ held, code }) => {
  const asJane = await worldOfJane(...held);
  expect(await asJane(`POST ${inNamespace}/roles`, roleOf(wide))).toMatchObject({ code });
});

test("a role is changed only by those who have the rights that it gives afterwards", async () => {
  const asJane = await worldOfJane();
  const keys = `${everywhere}/clusterroles/keys`;
  expect(await asJane(`PATCH ${keys}`, { rules: [rule(["get", "list"], ["secrets"])] })).toMatchObject({
    code: 403,
  });
  // With a label it could be aggregated to a role that more users have.
  const label = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
  expect(await asJane(`PATCH ${keys}`, { metadata: { labels: label } })).toMatchObject({ code: 403 });
  expect(await asJane(`PATCH ${keys}`, { rules: [rule(["get"], ["pods"])] })).toMatchObject({ code: 200 });
});

test("what lets garbage be collected may be changed whatever a role gives", async () => {
  const asJane = await worldOfJane();
  const owner = { apiVersion: "v1", kind: "Namespace", name: "default", uid: "u" };
  for (const path of ["clusterroles/keys", "clusterrolebindings/keepers"])
    for (const metadata of [{ finalizers: ["example.com/a"] }, { ownerReferences: [owner] }])
      expect(await asJane(`PATCH ${everywhere}/${path}`, { metadata })).toMatchObject({ code: 200 });
  expect(
    await asJane(`PATCH ${everywhere}/clusterrolebindings/keepers`, { metadata: { labels: { a: "b" } } }),
  ).toMatchObject({ code: 403 });
});

test("only who may do everything may aggregate roles, or end that", async () => {
  const asJane = await worldOfJane();
  const refused = (name: string) => ({
    code: 403,
    message: `clusterroles.${rbac} "${name}" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
  });
  expect(await asJane(`POST ${everywhere}/clusterroles`, { ...roleOf(), aggregationRule })).toEqual(
    refused("new"),
  );
  expect(await asJane(`PATCH ${everywhere}/clusterroles/sum`, { aggregationRule: null })).toEqual(
    refused("sum"),
  );
});

test("a role is bound only by those who have its rights, or may bind it", async () => {
  const plain = await worldOfJane();
  expect(await plain(`POST ${inNamespace}/rolebindings`, binding("a", "reader"))).toMatchObject({
    code: 201,
  });
  expect(await plain(`POST ${everywhere}/clusterrolebindings`, binding("b", "keys"))).toMatchObject({
    code: 403,
    message: expect.stringContaining('{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}') as string,
  });
  // Another user could give it any rights later.
  expect(await plain(`POST ${inNamespace}/rolebindings`, binding("c", "none"))).toMatchObject({ code: 404 });
  const binder = await worldOfJane(bindingAny);
  expect(await binder(`POST ${everywhere}/clusterrolebindings`, binding("b", "keys"))).toMatchObject({
    code: 201,
  });
});
