import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { startTestApiServer } from "../api-server-fixture.contract.ts";

const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";
const attributes = { namespace: "default", verb: "create", resource: "pods" };

test.for<{ path: string; body: JsonObject; want: JsonObject }>([
  {
    path: `${authorization}/selfsubjectaccessreviews`,
    body: { spec: { resourceAttributes: attributes } },
    want: { allowed: true },
  },
  {
    path: `${authorization}/selfsubjectrulesreviews`,
    body: { spec: { namespace: "default" } },
    want: { resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }], incomplete: false },
  },
  {
    path: `${authorization}/subjectaccessreviews`,
    body: { spec: { user: "jane", groups: ["dev"], resourceAttributes: attributes } },
    want: { allowed: false },
  },
  {
    path: `${authorization}/namespaces/default/localsubjectaccessreviews`,
    body: {
      metadata: { namespace: "default" },
      spec: {
        groups: ["system:masters"],
        resourceAttributes: { ...attributes, namespace: "default" },
      },
    },
    want: { allowed: true },
  },
  {
    path: `${authentication}/selfsubjectreviews`,
    body: {},
    want: { userInfo: { username: "tester", groups: ["system:masters", "system:authenticated"] } },
  },
  {
    path: `${authentication}/tokenreviews`,
    body: { spec: { token: "secret" } },
    want: { authenticated: true, user: { username: "admin" } },
  },
  {
    path: `${authentication}/tokenreviews`,
    body: { spec: { token: "guess" } },
    want: { error: "invalid bearer token" },
  },
])("$path answers in its status and is stored nowhere", async ({ path, body, want }) => {
  const { request, store } = await startTestApiServer();
  const before = store.revision();
  expect(await request(`POST ${path}`, body)).toMatchObject({ code: 201, body: { status: want } });
  expect(store.revision()).toBe(before);
});

test.for([
  { name: "of no token", path: `${authentication}/tokenreviews` },
  { name: "of the rules in no namespace", path: `${authorization}/selfsubjectrulesreviews` },
])("a review $name is refused", async ({ path }) => {
  const { request } = await startTestApiServer();
  expect((await request(`POST ${path}`, { spec: {} })).code).toBe(400);
});

test("a review may have metadata that the server sets or that is empty", async () => {
  const { request } = await startTestApiServer();
  const metadata = { name: "", labels: {}, uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
  const spec = { resourceAttributes: attributes };
  const { code } = await request(`POST ${authorization}/selfsubjectaccessreviews`, { metadata, spec });
  expect(code).toBe(201);
});

test("a review cannot be read, and needs a body", async () => {
  const { request } = await startTestApiServer();
  expect((await request(`GET ${authentication}/selfsubjectreviews`)).code).toBe(405);
  expect((await request(`POST ${authentication}/selfsubjectreviews`)).code).toBe(400);
});

const selecting = (selectors: JsonObject) => ({
  kind: "SelfSubjectAccessReview",
  plural: "selfsubjectaccessreviews",
  spec: { resourceAttributes: { ...attributes, ...selectors } },
});

const oneOf =
  "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified";

test.for<{
  name: string;
  kind: string;
  plural: string;
  spec?: JsonObject;
  metadata?: JsonObject;
  want: string;
}>([
  {
    name: "asks about another namespace than its own",
    kind: "LocalSubjectAccessReview",
    plural: "namespaces/default/localsubjectaccessreviews",
    spec: { user: "jane", resourceAttributes: { ...attributes, namespace: "other" } },
    want: 'spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
  },
  {
    name: "has a name",
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    spec: { resourceAttributes: attributes },
    metadata: { name: "mine" },
    want: 'metadata: Invalid value: {"name":"mine"}: must be empty',
  },
  {
    name: "has a name in a namespace",
    kind: "LocalSubjectAccessReview",
    plural: "namespaces/default/localsubjectaccessreviews",
    spec: { user: "jane", resourceAttributes: attributes },
    metadata: { name: "mine" },
    want: 'metadata: Invalid value: {"name":"mine","namespace":"default"}: must be empty except for namespace',
  },
  {
    name: "asks about a path in a namespace",
    kind: "LocalSubjectAccessReview",
    plural: "namespaces/default/localsubjectaccessreviews",
    spec: { user: "jane", nonResourceAttributes: { path: "/" } },
    want: 'spec.nonResourceAttributes: Invalid value: {"path":"/"}: disallowed on this kind of request',
  },
  {
    name: "asks for nothing",
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    want: oneOf,
  },
  {
    name: "asks for two things",
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    spec: { resourceAttributes: attributes, nonResourceAttributes: { path: "/" } },
    want: 'spec.nonResourceAttributes: Invalid value: {"path":"/"}: cannot be specified in combination with resourceAttributes',
  },
  {
    name: "selects by labels with values that the operator does not take",
    ...selecting({ labelSelector: { requirements: [{ key: "a", operator: "Exists", values: ["b"] }] } }),
    want: "spec.resourceAttributes.labelSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  },
  {
    name: "selects by labels without values",
    ...selecting({ labelSelector: { requirements: [{ key: "a", operator: "In" }] } }),
    want: "spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  },
  {
    name: "selects by no field",
    ...selecting({ fieldSelector: { requirements: [{ operator: "Exists" }] } }),
    want: "spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified",
  },
  {
    name: "has a selector that selects by nothing",
    ...selecting({ fieldSelector: {} }),
    want: "spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required",
  },
  {
    name: "has a selector in two forms",
    ...selecting({ labelSelector: { rawSelector: "a", requirements: [{ key: "a", operator: "Exists" }] } }),
    want: 'spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements',
  },
  {
    name: "asks about nobody",
    kind: "SubjectAccessReview",
    plural: "subjectaccessreviews",
    spec: { resourceAttributes: attributes },
    want: 'spec.user: Invalid value: "": at least one of user or group must be specified',
  },
])("a review that $name is invalid", async ({ kind, plural, spec = {}, metadata = {}, want }) => {
  const { request } = await startTestApiServer();
  expect(await request(`POST ${authorization}/${plural}`, { metadata, spec })).toMatchObject({
    code: 422,
    body: { reason: "Invalid", message: `${kind}.authorization.k8s.io "" is invalid: ${want}` },
  });
});

test("a review may select with operators that only its client knows", async () => {
  const { request } = await startTestApiServer();
  const { plural, spec } = selecting({ labelSelector: { requirements: [{ key: "a", operator: "Like" }] } });
  expect(await request(`POST ${authorization}/${plural}`, { spec })).toMatchObject({ code: 201 });
});
