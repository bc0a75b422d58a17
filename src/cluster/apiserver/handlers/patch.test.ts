import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { deploymentOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const configMaps = "/api/v1/namespaces/default/configmaps";
const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

async function worldWithMap(data: JsonObject = { key: "1" }) {
  const fixture = await startTestApiServer();
  await fixture.request(`POST ${configMaps}`, { metadata: { name: "a" }, data });
  return fixture;
}

test.for([
  { type: json, body: [{ op: "replace", path: "/data/key", value: "2" }] },
  { type: merge, body: { data: { key: "2" } } },
  { type: `${strategic}; charset=utf-8`, body: { data: { key: "2" } } },
])("a patch of type $type changes the newest version", async ({ type, body }) => {
  const { request } = await worldWithMap();
  expect(await request(`PATCH ${configMaps}/a`, body, type)).toMatchObject({
    code: 200,
    body: { data: { key: "2" } },
  });
});

test.for([
  { name: "no type", type: "", body: {}, code: 415 },
  { name: "plain JSON", type: "application/json", body: {}, code: 415 },
  { name: "a JSON patch that is no list", type: json, body: {}, code: 400 },
  { name: "an unknown operation", type: json, body: [{ op: "spin", path: "/data" }], code: 422 },
  { name: "a missing path", type: json, body: [{ op: "remove", path: "/data/none" }], code: 422 },
  { name: "a failed test", type: json, body: [{ op: "test", path: "/data/key", value: "x" }], code: 422 },
  { name: "a merge patch that is a list", type: merge, body: [], code: 400 },
  { name: "broken JSON", type: merge, body: "{", code: 400 },
  { name: "a hostile key", type: merge, body: '{"__proto__":{"a":1}}', code: 400 },
  { name: "a result of the wrong type", type: merge, body: { data: "none" }, code: 422 },
  { name: "a result of the wrong type", type: strategic, body: { data: { key: 1 } }, code: 422 },
  {
    name: "another object in its place",
    type: json,
    body: [{ op: "replace", path: "", value: { metadata: { name: "a" } } }],
    code: 422,
  },
  { name: "a result without a name", type: merge, body: { metadata: { name: "b" } }, code: 400 },
  { name: "another kind", type: merge, body: { kind: "Secret" }, code: 422 },
  {
    name: "another group",
    type: json,
    body: [{ op: "replace", path: "/apiVersion", value: "apps/v1" }],
    code: 422,
  },
  { name: "another object", type: merge, body: { metadata: { uid: "other" } }, code: 422 },
  { name: "another version", type: merge, body: { metadata: { resourceVersion: "1" } }, code: 409 },
])("$name is answered with $code", async ({ type, body, code }) => {
  const { request, store } = await worldWithMap();
  const before = store.revision();
  const answer = await request(`PATCH ${configMaps}/a`, body, type);
  expect(answer).toMatchObject({ code, body: { kind: "Status", status: "Failure" } });
  expect(store.revision()).toBe(before);
});

test("a field that is not there yet can be replaced", async () => {
  const { request } = await worldWithMap();
  const body = [{ op: "replace", path: "/data/new", value: "1" }];
  expect(await request(`PATCH ${configMaps}/a`, body, json)).toMatchObject({
    code: 200,
    body: { data: { key: "1", new: "1" } },
  });
});

test("an object keeps its kind, whatever a patch makes of it", async () => {
  const { request } = await worldWithMap();
  for (const kind of ["", null]) {
    const body = { kind, apiVersion: kind, data: { key: "2" } };
    const { body: patched } = await request(`PATCH ${configMaps}/a`, body, merge);
    expect(patched).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", data: { key: "2" } });
  }
});

test("too many operations are too much", async () => {
  const { request } = await worldWithMap();
  const operations = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/data/key", value: "1" }));
  expect((await request(`PATCH ${configMaps}/a`, operations, json)).code).toBe(413);
});

test("only an apply can be forced", async () => {
  const { request } = await worldWithMap();
  const answer = await request(`PATCH ${configMaps}/a?force=true`, { data: { key: "2" } }, merge);
  expect(answer).toMatchObject({
    code: 422,
    body: {
      message:
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    },
  });
});

describe("unknown fields in the result", () => {
  const body = { spec: { colour: "red" } };

  test("are dropped with a warning, and nothing is written", async () => {
    const { request, store } = await startTestApiServer();
    await request(`POST ${deployments}`, deploymentOf("web"));
    const before = store.revision();
    const answer = await request(`PATCH ${deployments}/web`, body, merge);
    expect(answer).toMatchObject({ code: 200, warnings: ['unknown field "spec.colour"'] });
    expect(store.revision()).toBe(before);
  });

  test("are refused when the client is strict", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${deployments}`, deploymentOf("web"));
    const answer = await request(`PATCH ${deployments}/web?fieldValidation=Strict`, body, merge);
    expect(answer.code).toBe(422);
    expect(answer.body["message"]).toMatch(
      /^ "" is invalid: patch: Invalid value: ".*": strict decoding error: unknown field "spec.colour"$/,
    );
  });
});

describe("mistakes in the patch itself", () => {
  const sent = [
    {
      what: "members no operation has",
      type: json,
      body: '[{"op":"add","path":"/data/x","value":"1","vaule":"2"}]',
      want: 'json patch unknown field "[0].vaule"',
    },
    {
      what: "members an operation has twice",
      type: json,
      body: '[{"op":"remove","op":"add","path":"/data/x","value":"1"}]',
      want: 'json patch duplicate field "[0].op"',
    },
    {
      what: "fields that come twice",
      type: merge,
      body: '{"data":{"x":"1","x":"2"}}',
      want: 'duplicate field "data.x"',
    },
    {
      what: "fields that come twice",
      type: strategic,
      body: '{"data":{"x":"1","x":"2"}}',
      want: 'duplicate field "data.x"',
    },
  ];

  test.for(sent)("$what ($type) are reported, refused or ignored, as the client asks", async (patch) => {
    const { request } = await worldWithMap();
    const answer = (validation: string) =>
      request(`PATCH ${configMaps}/a?fieldValidation=${validation}`, patch.body, patch.type);
    const refused = await answer("Strict");
    expect(refused.code).toBe(422);
    expect(refused.body["message"]).toContain(`strict decoding error: ${patch.want}`);
    expect(await answer("Warn")).toMatchObject({ code: 200, warnings: [patch.want] });
    expect(await answer("Ignore")).toMatchObject({ code: 200, warnings: [] });
  });
});

test("an invalid result is refused field by field", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${deployments}`, deploymentOf("web"));
  const answer = await request(`PATCH ${deployments}/web`, { spec: { replicas: -1 } }, merge);
  expect(answer).toMatchObject({
    code: 422,
    body: { details: { causes: [{ reason: "FieldValueInvalid", field: "spec.replicas" }] } },
  });
});

test("values that a patch does not change stay shared with the previous version", async () => {
  const { request, store } = await startTestApiServer();
  await request(`POST ${deployments}`, deploymentOf("web"));
  const before = store.collection("deployments.apps").get("default/web")?.object;
  await request(`PATCH ${deployments}/web/status`, { status: { replicas: 1 } }, strategic);
  const after = store.collection("deployments.apps").get("default/web")?.object;
  expect(after?.["spec"]).toBe(before?.["spec"]);
  expect(after?.["status"]).toMatchObject({ replicas: 1 });
});

test("a client cannot mark an object for deletion by a patch or an update", async () => {
  const { request } = await worldWithMap();
  const { body } = await request(`GET ${configMaps}/a`);
  for (const marks of [{ deletionTimestamp: "2026-11-15T00:00:00Z" }, { deletionGracePeriodSeconds: 5 }]) {
    const [field] = Object.keys(marks);
    const want = { code: 422, body: { details: { causes: [{ field: `metadata.${field}` }] } } };
    expect(await request(`PATCH ${configMaps}/a`, { metadata: marks }, merge)).toMatchObject(want);
    const object = { ...body, metadata: { ...(body["metadata"] as JsonObject), ...marks } };
    expect(await request(`PUT ${configMaps}/a`, object)).toMatchObject(want);
  }
});
