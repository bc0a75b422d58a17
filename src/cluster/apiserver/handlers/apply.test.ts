import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { ManagedFieldsEntry } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { deploymentOf, type ResponseSummary, startTestApiServer } from "../api-server-fixture.contract.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const configMaps = "/api/v1/namespaces/default/configmaps";
const applyType = "application/apply-patch+yaml";
const merge = "application/merge-patch+json";

async function world() {
  const fixture = await startTestApiServer();
  const apply = (path: string, manager: string, body: JsonObject) =>
    fixture.request(
      `PATCH ${path}${path.includes("?") ? "&" : "?"}fieldManager=${manager}`,
      stringify(body),
      applyType,
    );
  const applyMap = (manager: string, data: JsonObject, query = "") =>
    apply(`${configMaps}/a${query}`, manager, mapOf(data));
  return { ...fixture, apply, applyMap };
}

const mapOf = (data: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a" },
  data,
});

const web = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  ...deploymentOf("web", spec),
  metadata: { name: "web", ...metadata },
});

function ownersIn({ body }: ResponseSummary): JsonObject {
  const { managedFields = [] } = body["metadata"] as { managedFields?: readonly ManagedFieldsEntry[] };
  return Object.fromEntries(
    managedFields.map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource ?? []].flat().join(" "),
      fieldsV1 as JsonObject,
    ]),
  );
}

describe("an apply", () => {
  test("creates an object that is not there, with the applier as the owner of what it sent", async () => {
    const { apply } = await world();
    const answer = await apply(`${deployments}/web`, "me", web());
    expect(answer.code).toBe(201);
    expect(ownersIn(answer)).toEqual({
      "me Apply": {
        "f:spec": {
          "f:replicas": {},
          "f:selector": {},
          "f:template": {
            "f:metadata": { "f:labels": { "f:app": {} } },
            "f:spec": {
              "f:containers": { 'k:{"name":"app"}': { ".": {}, "f:image": {}, "f:name": {} } },
            },
          },
        },
      },
    });
  });

  test("changes nothing the second time", async () => {
    const { apply, store, clock } = await world();
    const first = await apply(`${deployments}/web`, "me", web());
    const before = store.revision();
    await clock.advance(5000);
    const second = await apply(`${deployments}/web`, "me", web());
    expect(second).toMatchObject({ code: 200, body: first.body });
    expect(store.revision()).toBe(before);
  });

  test("merges into what others own", async () => {
    const { applyMap } = await world();
    await applyMap("one", { a: "1" });
    const answer = await applyMap("two", { b: "2" });
    expect(answer).toMatchObject({ code: 200, body: { data: { a: "1", b: "2" } } });
    expect(ownersIn(answer)).toEqual({
      "one Apply": { "f:data": { "f:a": {} } },
      "two Apply": { "f:data": { "f:b": {} } },
    });
  });

  test("conflicts where it would change what others own", async () => {
    const { applyMap, store } = await world();
    await applyMap("one", { a: "1", c: "1" });
    const before = store.revision();
    const answer = await applyMap("two", { a: "2" });
    expect(answer).toMatchObject({
      code: 409,
      body: {
        reason: "Conflict",
        message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
        details: {
          causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.a" }],
        },
      },
    });
    const several = await applyMap("two", { a: "2", c: "2" });
    expect(several.body["message"]).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .data.a\n- .data.c',
    );
    expect(store.revision()).toBe(before);
  });

  test("shares what it sets to the value it has", async () => {
    const { applyMap } = await world();
    await applyMap("one", { a: "1" });
    expect(ownersIn(await applyMap("two", { a: "1" }))).toEqual({
      "one Apply": { "f:data": { "f:a": {} } },
      "two Apply": { "f:data": { "f:a": {} } },
    });
  });

  test("takes what it is forced to take", async () => {
    const { applyMap } = await world();
    await applyMap("one", { a: "1", b: "1" });
    const answer = await applyMap("two", { a: "2" }, "?force=true");
    expect(answer.body["data"]).toEqual({ a: "2", b: "1" });
    expect(ownersIn(answer)).toEqual({
      "one Apply": { "f:data": { "f:b": {} } },
      "two Apply": { "f:data": { "f:a": {} } },
    });
  });

  test("removes what it no longer mentions, unless another manager owns it", async () => {
    const { applyMap } = await world();
    await applyMap("one", { a: "1", b: "1", c: "1" });
    await applyMap("two", { b: "1" });
    const answer = await applyMap("one", { c: "1" });
    expect(answer.body["data"]).toEqual({ b: "1", c: "1" });
    expect(ownersIn(answer)).toEqual({
      "one Apply": { "f:data": { "f:c": {} } },
      "two Apply": { "f:data": { "f:b": {} } },
    });
  });

  test("removes items of lists by their keys, and the defaults in them", async () => {
    const { apply } = await world();
    const containers = (...names: readonly string[]) =>
      web({
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: names.map((name) => ({ name, image: "registry.example/app:1" })) },
        },
      });
    await apply(`${deployments}/web`, "me", containers("app", "sidecar"));
    const { body } = await apply(`${deployments}/web`, "me", containers("sidecar"));
    expect(body).toMatchObject({ spec: { template: { spec: { containers: [{ name: "sidecar" }] } } } });
  });

  test("gives a field back to its default", async () => {
    const { apply } = await world();
    await apply(`${deployments}/web`, "me", web({ minReadySeconds: 5, replicas: 3 }));
    const { replicas: _none, ...spec } = web()["spec"] as JsonObject;
    const { body } = await apply(`${deployments}/web`, "me", { ...web(), spec });
    expect(body).toMatchObject({ spec: { replicas: 1 } });
    expect(body["spec"]).not.toHaveProperty("minReadySeconds");
  });

  test("knows who changed an object before it was applied", async () => {
    const { request, apply } = await world();
    await request(`POST ${deployments}?fieldManager=creator`, deploymentOf("web"));
    const answer = await apply(`${deployments}/web`, "me", web({ replicas: 5 }));
    expect(answer.body["message"]).toBe(
      'Apply failed with 1 conflict: conflict with "creator" using apps/v1: .spec.replicas',
    );
  });

  test("attributes an object without managed fields to before-first-apply", async () => {
    const { request, applyMap } = await world();
    await request(`POST ${configMaps}?fieldManager=creator`, mapOf({ a: "1" }));
    await request(`PATCH ${configMaps}/a`, { metadata: { managedFields: [{}] } }, merge);
    expect(ownersIn(await applyMap("me", { b: "1" }))).toEqual({
      "me Apply": { "f:data": { "f:b": {} } },
      "before-first-apply Update": { "f:data": { ".": {}, "f:a": {} } },
    });
  });

  test("of a dry run writes nothing", async () => {
    const { applyMap, store } = await world();
    const before = store.revision();
    const answer = await applyMap("me", { a: "1" }, "?dryRun=All");
    expect(answer).toMatchObject({ code: 201, body: { data: { a: "1" } } });
    expect(store.revision()).toBe(before);
  });
});

describe("a key that YAML has twice", () => {
  const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: '1'\n  a: '2'\n";
  const warning = 'line 6: key "a" already set in map';

  test.for([
    { validation: "Ignore", warnings: [] },
    { validation: "Warn", warnings: [warning] },
    { validation: "", warnings: [warning] },
  ])("is taken from its last line, with $validation", async ({ validation, warnings }) => {
    const { request } = await world();
    const query = validation === "" ? "" : `&fieldValidation=${validation}`;
    const applied = await request(`PATCH ${configMaps}/a?fieldManager=me${query}`, text, applyType);
    expect(applied).toMatchObject({ code: 201, body: { data: { a: "2" } }, warnings });
    const replaced = await request(`PUT ${configMaps}/a?fieldManager=me${query}`, text, "application/yaml");
    expect(replaced).toMatchObject({ code: 200, body: { data: { a: "2" } }, warnings });
  });

  test("is refused in a create by a strict client", async () => {
    const { request } = await world();
    const answer = await request(`POST ${configMaps}?fieldValidation=Strict`, text, "application/yaml");
    expect(answer.code).toBe(400);
    expect(answer.body["message"]).toBe(
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  ${warning}`,
    );
  });
});

describe("an apply is refused", () => {
  test.for<{ name: string; body: JsonObject | string; query?: string; code: number; message: RegExp }>([
    {
      name: "without a manager",
      body: mapOf({}),
      query: "",
      code: 422,
      message:
        /^PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch$/,
    },
    {
      name: "with managed fields",
      body: { ...mapOf({}), metadata: { name: "a", managedFields: [{}] } },
      code: 400,
      message: /^metadata.managedFields must be nil$/,
    },
    {
      name: "for another kind",
      body: { ...mapOf({}), kind: "Secret" },
      code: 400,
      message: /^invalid object type: \/v1, Kind=Secret$/,
    },
    { name: "without a kind", body: {}, code: 400, message: /^invalid object type: \/, Kind=$/ },
    {
      name: "for another name",
      body: { ...mapOf({}), metadata: { name: "b" } },
      code: 400,
      message: /does not match the name on the URL/,
    },
    {
      name: "with a field that is not in the schema",
      body: { ...mapOf({}), datum: {} },
      code: 500,
      message:
        /^failed to create typed patch object \(\/a; \/v1, Kind=ConfigMap\): .datum: field not declared in schema$/,
    },
    {
      name: "with a value of the wrong type",
      body: mapOf({ a: { b: 1 } }),
      code: 500,
      message: /: .data.a: expected string, got /,
    },
    { name: "when it is no YAML", body: "a: [", code: 400, message: /^error decoding YAML: / },
    { name: "when it is no object", body: "- a", code: 400, message: /^error decoding YAML: / },
    {
      name: "for an object that does not exist any more",
      body: { ...mapOf({}), metadata: { name: "a", uid: "1234" } },
      code: 409,
      message: /uid mismatch: the provided object specified uid 1234, and no existing object was found$/,
    },
    {
      name: "with a field twice, if the client is strict",
      body: '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1","a":"2"}}',
      query: "?fieldManager=me&fieldValidation=Strict",
      code: 400,
      message:
        /^error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n {2}line 1: key "a" already set in map$/,
    },
    {
      name: "with a key twice in YAML, if the client is strict",
      body: "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: '1'\n  a: '2'\n",
      query: "?fieldManager=me&fieldValidation=Strict",
      code: 400,
      message: /YAML to JSON: yaml: unmarshal errors:\n {2}line 5: key "a" already set in map$/,
    },
  ])("$name", async ({ body, query = "?fieldManager=me", code, message }) => {
    const { request, store } = await world();
    const before = store.revision();
    const sent = typeof body === "string" ? body : stringify(body);
    const answer = await request(`PATCH ${configMaps}/a${query}`, sent, applyType);
    expect(answer.code).toBe(code);
    expect(answer.body["message"]).toMatch(message);
    expect(store.revision()).toBe(before);
  });
});

describe("a subresource", () => {
  const status = (replicas: number): JsonObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    status: { replicas },
  });

  test("status is applied and owned separately", async () => {
    const { request, apply } = await world();
    await request(`POST ${deployments}?fieldManager=creator`, deploymentOf("web"));
    const answer = await apply(`${deployments}/web/status`, "me", { ...status(2), spec: { replicas: 9 } });
    expect(answer).toMatchObject({ code: 200, body: { status: { replicas: 2 }, spec: { replicas: 1 } } });
    expect(ownersIn(answer)).toMatchObject({ "me Apply status": { "f:status": { "f:replicas": {} } } });
    expect(ownersIn(answer)["me Apply status"]).not.toHaveProperty("f:spec");
  });

  test("status is not owned by way of the object", async () => {
    const { apply } = await world();
    const answer = await apply(`${deployments}/web`, "me", { ...web(), status: { replicas: 7 } });
    expect(ownersIn(answer)["me Apply"]).not.toHaveProperty("f:status");
  });

  test("of an object that is not there is not found", async () => {
    const { apply } = await world();
    expect((await apply(`${deployments}/web/status`, "me", status(1))).code).toBe(404);
    expect((await apply(`${deployments}/web/scale`, "me", scale(1))).code).toBe(404);
  });

  const scale = (replicas: number): JsonObject => ({
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "web" },
    spec: { replicas },
  });

  test("scale owns the replicas", async () => {
    const { request, apply } = await world();
    await apply(`${deployments}/web`, "one", web());
    const refused = await apply(`${deployments}/web/scale`, "two", scale(3));
    expect(refused.body["message"]).toBe('Apply failed with 1 conflict: conflict with "one": .spec.replicas');
    const answer = await apply(`${deployments}/web/scale?force=true`, "two", scale(3));
    expect(answer).toMatchObject({ code: 200, body: { kind: "Scale", spec: { replicas: 3 } } });
    const owners = ownersIn(await request(`GET ${deployments}/web`));
    expect(owners["two Apply scale"]).toEqual({ "f:spec": { "f:replicas": {} } });
    expect(owners["one Apply"]).not.toHaveProperty(["f:spec", "f:replicas"]);
    const again = await apply(`${deployments}/web`, "one", web());
    expect(again.body["message"]).toContain('conflict with "two" with subresource "scale": .spec.replicas');
  });

  test("scale takes the replicas from their owner when it is updated", async () => {
    const { request, apply } = await world();
    await apply(`${deployments}/web`, "one", web());
    await request(`PATCH ${deployments}/web/scale?fieldManager=kubectl`, { spec: { replicas: 3 } }, merge);
    const owners = ownersIn(await request(`GET ${deployments}/web`));
    expect(owners["kubectl Update scale"]).toEqual({ "f:spec": { "f:replicas": {} } });
    expect(owners["one Apply"]).not.toHaveProperty(["f:spec", "f:replicas"]);
  });
});

describe("kubectl", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";

  test("takes over without a conflict what client-side apply had applied", async () => {
    const { request, apply } = await world();
    const annotations = { [annotation]: `${JSON.stringify(web())}\n` };
    await request(`POST ${deployments}?fieldManager=kubectl-client-side-apply`, web({}, { annotations }));
    expect((await apply(`${deployments}/web`, "other", web({ replicas: 4 }))).code).toBe(409);
    const answer = await apply(`${deployments}/web`, "kubectl", web({ replicas: 4 }));
    expect(answer).toMatchObject({ code: 200, body: { spec: { replicas: 4 } } });
    const kept = (answer.body["metadata"] as { annotations: Record<string, string> }).annotations;
    expect(JSON.parse(kept[annotation] ?? "")).toEqual(web({ replicas: 4 }));
  });
});
