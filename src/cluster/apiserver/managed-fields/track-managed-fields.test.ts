import { describe, expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import {
  deploymentOf,
  podOf,
  type ResponseSummary,
  startTestApiServer,
} from "../api-server-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const pods = "/api/v1/namespaces/default/pods";
const autoscalers = (version: string) =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const merge = "application/merge-patch+json";

function entriesIn({ body }: ResponseSummary): readonly ManagedFieldsEntry[] {
  return (body["metadata"] as { managedFields?: readonly ManagedFieldsEntry[] }).managedFields ?? [];
}

const named = (answer: ResponseSummary, manager: string) =>
  entriesIn(answer).find((entry) => entry.manager === manager);

async function withMap() {
  const fixture = await startTestApiServer();
  const { request } = fixture;
  const created = await request(`POST ${configMaps}?fieldManager=creator`, {
    metadata: { name: "a" },
    data: { a: "1", b: "1" },
  });
  const patch = (body: JsonObject, manager = "editor") =>
    request(`PATCH ${configMaps}/a?fieldManager=${manager}`, body, merge);
  return { ...fixture, created, patch };
}

test("who creates an object owns its fields, defaults included, but for what the server sets", async () => {
  const { request } = await startTestApiServer();
  const answer = await request(`POST ${pods}?fieldManager=creator`, {
    ...podOf("a"),
    metadata: { name: "a", labels: { app: "a" } },
  });
  expect(entriesIn(answer)).toEqual([
    {
      manager: "creator",
      operation: "Update",
      apiVersion: "v1",
      time: "2026-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
        "f:spec": {
          "f:containers": {
            'k:{"name":"app"}': {
              ".": {},
              "f:image": {},
              "f:imagePullPolicy": {},
              "f:name": {},
              "f:resources": {},
              "f:terminationMessagePath": {},
              "f:terminationMessagePolicy": {},
            },
          },
          "f:dnsPolicy": {},
          "f:enableServiceLinks": {},
          "f:restartPolicy": {},
          "f:schedulerName": {},
          "f:securityContext": {},
          "f:terminationGracePeriodSeconds": {},
        },
      },
    },
  ]);
});

test("who changes a field owns it", async () => {
  const { patch } = await withMap();
  const answer = await patch({ data: { a: "2", c: "1" } });
  expect(named(answer, "creator")?.fieldsV1).toEqual({ "f:data": { ".": {}, "f:b": {} } });
  expect(named(answer, "editor")?.fieldsV1).toEqual({ "f:data": { "f:a": {}, "f:c": {} } });
});

test("a removed field has no owner, and an owner without fields no entry", async () => {
  const { patch } = await withMap();
  expect(named(await patch({ data: { a: null } }), "creator")?.fieldsV1).toEqual({
    "f:data": { ".": {}, "f:b": {} },
  });
  expect(entriesIn(await patch({ data: null }))).toEqual([]);
});

test("the time is that of the last change of its manager", async () => {
  const { patch, clock, store } = await withMap();
  await clock.advance(60_000);
  const answer = await patch({ data: { a: "2" } });
  expect(entriesIn(answer).map(({ manager, time }) => [manager, time])).toEqual([
    ["creator", "2026-01-01T00:00:00Z"],
    ["editor", "2026-01-01T00:01:00Z"],
  ]);
  const before = store.revision();
  await clock.advance(60_000);
  expect(entriesIn(await patch({ data: { a: "2" } }))).toEqual(entriesIn(answer));
  expect(store.revision()).toBe(before);
});

test("the manager is the program in the User-Agent, unless the client names one", async () => {
  const { server } = await startTestApiServer();
  const resource = server.kinds.find("", "v1", "configmaps");
  if (resource === undefined) throw new Error("no ConfigMaps");
  const created = await server.requestHandler.handle({
    verb: "create",
    resource,
    namespace: "default",
    options: {},
    user: { name: "me", groups: [] },
    userAgent: "kube\u0007ctl/v1.33 (linux)",
    body: { form: "value", value: { metadata: { name: "a" }, data: { a: "1" } } },
  });
  if (created.kind !== "object") throw new Error("no object");
  const { managedFields } = created.item.object.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  expect(managedFields?.[0]?.manager).toBe("kubectl");
});

test("a status is owned by way of its subresource", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${deployments}?fieldManager=creator`, deploymentOf("web"));
  const body = { metadata: { labels: { no: "1" } }, spec: { replicas: 5 }, status: { replicas: 2 } };
  const answer = await request(`PATCH ${deployments}/web/status?fieldManager=controller`, body, merge);
  expect(named(answer, "controller")).toMatchObject({
    subresource: "status",
    fieldsV1: { "f:status": { "f:replicas": {} } },
  });
  expect(named(answer, "controller")?.fieldsV1).not.toHaveProperty("f:spec");
  expect(named(answer, "controller")?.fieldsV1).not.toHaveProperty("f:metadata");
});

test("each version of a kind has its own fields", async () => {
  const { request } = await startTestApiServer();
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  await request(`POST ${autoscalers("v1")}?fieldManager=old`, {
    metadata: { name: "a" },
    spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
  });
  const answer = await request(
    `PATCH ${autoscalers("v2")}/a?fieldManager=new`,
    { spec: { maxReplicas: 4 } },
    merge,
  );
  expect(
    entriesIn(answer).map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1]),
  ).toEqual([
    ["new", "autoscaling/v2", { "f:spec": { "f:maxReplicas": {} } }],
    [
      "old",
      "autoscaling/v1",
      { "f:spec": { "f:minReplicas": {}, "f:scaleTargetRef": {}, "f:targetCPUUtilizationPercentage": {} } },
    ],
  ]);
});

test("beyond ten updaters the oldest are merged", async () => {
  const { patch, clock } = await withMap();
  let answer: ResponseSummary | undefined;
  for (let index = 0; index < 15; index++) {
    await clock.advance(1000);
    answer = await patch({ data: { [`k${index}`]: "1" } }, `m${index}`);
  }
  if (answer === undefined) throw new Error("no answer");
  expect(entriesIn(answer).map(({ manager }) => manager)).toEqual([
    "ancient-changes",
    "m6",
    "m7",
    "m8",
    "m9",
    "m10",
    "m11",
    "m12",
    "m13",
    "m14",
  ]);
  expect(named(answer, "ancient-changes")?.fieldsV1).toMatchObject({ "f:data": { "f:a": {}, "f:k5": {} } });
});

describe("managed fields that a client sends", () => {
  test("are not taken at creation", async () => {
    const { request } = await startTestApiServer();
    const managedFields = [
      { manager: "other", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1" },
    ];
    const answer = await request(`POST ${configMaps}?fieldManager=me`, {
      metadata: { name: "a", managedFields },
      data: { a: "1" },
    });
    expect(entriesIn(answer).map(({ manager }) => manager)).toEqual(["me"]);
  });

  test.for<{ name: string; managedFields: readonly JsonObject[] }>([
    { name: "an empty list", managedFields: [] },
    { name: "a list of an empty entry", managedFields: [{}] },
  ])("are forgotten with $name, until the first apply", async ({ managedFields }) => {
    const { patch } = await withMap();
    expect(entriesIn(await patch({ metadata: { managedFields } }))).toEqual([]);
    expect(entriesIn(await patch({ data: { a: "5" } }))).toEqual([]);
  });

  test("stay as they were when they are left out", async () => {
    const { request, created } = await withMap();
    const { managedFields: _none, ...metadata } = created.body["metadata"] as JsonObject;
    const answer = await request(`PUT ${configMaps}/a?fieldManager=me`, { ...created.body, metadata });
    expect(entriesIn(answer)).toEqual(entriesIn(created));
  });

  test.for<{ name: string; entry: JsonObject }>([
    { name: "without an operation", entry: { operation: "" } },
    { name: "without a version", entry: { apiVersion: "" } },
    { name: "of an unknown type", entry: { fieldsType: "FieldsV2" } },
  ])("are ignored $name", async ({ entry }) => {
    const { patch, created } = await withMap();
    const [first] = entriesIn(created) as unknown as readonly JsonObject[];
    const answer = await patch({ metadata: { managedFields: [{ ...first, ...entry }] } });
    expect(answer.code).toBe(200);
    expect(entriesIn(answer)).toEqual(entriesIn(created));
  });

  test("replace the stored ones when they are valid", async () => {
    const { patch } = await withMap();
    const entry = {
      manager: "chosen",
      operation: "Apply",
      apiVersion: "v1",
      time: "2026-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:a": {}, nonsense: {} } },
    };
    const answer = await patch({ metadata: { managedFields: [entry] } });
    expect(entriesIn(answer)).toEqual([{ ...entry, fieldsV1: { "f:data": { "f:a": {} } } }]);
  });
});

test("equal sets are shared", async () => {
  const { request, store } = await startTestApiServer();
  for (const name of ["a", "b"]) await request(`POST ${pods}`, podOf(name));
  const setOf = (name: string) => {
    const record = store.collection("pods").get(`default/${name}`);
    const metadata = record?.object.metadata as { managedFields?: readonly ManagedFieldsEntry[] } | undefined;
    return metadata?.managedFields?.[0]?.fieldsV1;
  };
  expect(setOf("a")).toBeDefined();
  expect(setOf("a")).toBe(setOf("b"));
});

test("an object that would be too large for them loses them", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${pods}`, podOf("a"));
  const conditions = Array.from({ length: 11_000 }, (_, index) => ({
    type: `Example${index}`,
    status: "True",
    reason: "x".repeat(60),
  }));
  const answer = await request(`PATCH ${pods}/a/status`, { status: { conditions } }, merge);
  expect(answer.code).toBe(200);
  expect(entriesIn(answer)).toEqual([]);
});
