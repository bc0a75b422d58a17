import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import { namesIn, pendingEvents, startTestApiServer } from "./api-server-fixture.contract.ts";
import { startHttpsTestApiServer } from "./http/https-fixture.contract.ts";
import { createKindRegistry, type KindChange } from "./kind-registry.ts";
import { serveBuiltInKinds } from "./kinds/serve-built-in-kinds.ts";
import { schemalessKind } from "./schema/schemaless.contract.ts";

const widget = { group: "example.com", kind: "Widget", plural: "widgets" };
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const mergePatch = "application/merge-patch+json";

const object = (name: string, rest: JsonObject = {}): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name },
  ...rest,
});

describe("the registry", () => {
  test("finds resources by their path, and those that share a collection", () => {
    const kinds = createKindRegistry(serveBuiltInKinds());
    const versions = kinds.sharing("horizontalpodautoscalers.autoscaling").map(({ version }) => version);
    expect(versions.toSorted()).toEqual(["v1", "v2"]);
    expect(kinds.find("apps", "v1", "deployments")?.kind).toBe("Deployment");
    expect(kinds.find("apps", "v2", "deployments")).toBeUndefined();
    expect(kinds.sharing("nothing")).toEqual([]);
  });

  test("tells its subscribers what changed, and gives another list after each change", () => {
    const kinds = createKindRegistry([]);
    const changes: string[] = [];
    const unsubscribe = kinds.subscribe(({ type, kind }: KindChange) => changes.push(`${type} ${kind.kind}`));
    const empty = kinds.all;
    kinds.register(schemalessKind(widget));
    const one = kinds.all;
    kinds.replace(schemalessKind(widget, ["v2", "v1"]));
    expect(kinds.all.map(({ version }) => version)).toEqual(["v2", "v1"]);
    kinds.remove(widget);
    unsubscribe();
    kinds.register(schemalessKind(widget));
    expect(changes).toEqual(["registered Widget", "replaced Widget", "removed Widget"]);
    expect([empty.length, one.length]).toEqual([0, 1]);
  });

  test("refuses a kind or a path that is served, and to change one that is not, and stays as it was", () => {
    const kinds = createKindRegistry([schemalessKind(widget)]);
    expect(() => kinds.register(schemalessKind(widget))).toThrow("Widget.example.com is served already");
    const gadget = { ...widget, kind: "Gadget" };
    expect(() => kinds.register(schemalessKind(gadget))).toThrow(
      "example.com/v1/widgets is served for Widget.example.com",
    );
    kinds.register(schemalessKind({ ...gadget, plural: "gadgets" }));
    expect(() => kinds.replace(schemalessKind(gadget))).toThrow("is served for Widget.example.com");
    expect(kinds.find("example.com", "v1", "gadgets")?.kind).toBe("Gadget");
    expect(() => kinds.remove({ group: "example.com", kind: "Other" })).toThrow(
      "Other.example.com is not served",
    );
  });
});

describe("a kind that is registered while the server runs", () => {
  test("can be created, read, listed, updated, patched, applied, watched and deleted", async () => {
    const { server, request, watch } = await startTestApiServer();
    server.kinds.register(schemalessKind(widget));
    const created = await request(`POST ${widgets}`, object("a", { spec: { size: 1, parts: [null] } }));
    expect(created).toMatchObject({ code: 201, body: { spec: { size: 1, parts: [null] } } });
    const { uid, managedFields } = created.body["metadata"] as Record<string, JsonObject[]>;
    expect(uid).toBeDefined();
    expect(managedFields?.[0]?.["fieldsV1"]).toEqual({ "f:spec": {} });
    const stream = await watch(`${widgets}?watch=true`);
    await request(`PATCH ${widgets}/a`, { spec: { size: 2 } }, mergePatch);
    const { body } = await request(`GET ${widgets}/a`);
    expect(body).toMatchObject({ kind: "Widget", spec: { size: 2, parts: [null] } });
    expect(await request(`PUT ${widgets}/a`, { ...body, spec: { size: 3 } })).toMatchObject({
      code: 200,
      body: { spec: { size: 3 } },
    });
    expect((await request(`PUT ${widgets}/a`, object("a"))).code).toBe(422);
    const applied = await request(
      `PATCH ${widgets}/b?fieldManager=me`,
      object("b", { data: "x" }),
      "application/apply-patch+yaml",
    );
    expect(applied).toMatchObject({ code: 201, body: { data: "x" } });
    expect(namesIn(await request(`GET ${widgets}`))).toEqual(["a", "b"]);
    expect((await request(`DELETE ${widgets}/a`)).code).toBe(200);
    expect(pendingEvents(stream)).toEqual(["ADDED a", "MODIFIED a", "MODIFIED a", "ADDED b", "DELETED a"]);
  });

  test("is validated in its metadata, and has no strategic merge patches", async () => {
    const { server, request } = await startTestApiServer();
    server.kinds.register(schemalessKind(widget));
    expect((await request(`POST ${widgets}`, object("Bad Name"))).code).toBe(422);
    await request(`POST ${widgets}`, object("a"));
    const patch = await request(`PATCH ${widgets}/a`, {}, "application/strategic-merge-patch+json");
    expect(patch).toMatchObject({ code: 415 });
    expect(patch.body["message"]).toBe(
      "the body of the request was in an unknown format - accepted media types include: " +
        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    );
  });

  test("appears in discovery, in OpenAPI and in tables, and is gone from them when it is removed", async () => {
    const { server, call } = await startHttpsTestApiServer();
    const read = async (path: string) => JSON.parse((await call(`GET ${path}`)).text) as JsonObject;
    const before = await call("GET /apis");
    const core = await read("/openapi/v3");
    server.kinds.register(schemalessKind(widget, ["v1beta1", "v1"]));
    const groups = await call("GET /apis");
    expect(groups.headers.etag).not.toBe(before.headers.etag);
    expect(JSON.parse(groups.text)).toMatchObject({
      groups: expect.arrayContaining([
        expect.objectContaining({
          name: "example.com",
          preferredVersion: { groupVersion: "example.com/v1", version: "v1" },
        }),
      ]),
    });
    expect(await read("/apis/example.com/v1")).toMatchObject({ resources: [{ name: "widgets" }] });
    const { paths } = (await read("/openapi/v3")) as { readonly paths: JsonObject };
    const { "apis/example.com/v1": own, "apis/example.com/v1beta1": beta, ...others } = paths;
    expect([own, beta]).not.toContain(undefined);
    expect({ paths: others }).toEqual(core);
    const document = await read("/openapi/v3/apis/example.com/v1");
    expect(document).toMatchObject({
      components: { schemas: { "com.example.v1.Widget": {}, "com.example.v1.WidgetList": {} } },
    });
    expect(await read("/openapi/v2")).toMatchObject({ definitions: { "com.example.v1.Widget": {} } });
    await call(`POST ${widgets}`, {
      body: JSON.stringify(object("a")),
      headers: { "content-type": "application/json" },
    });
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = JSON.parse((await call(`GET ${widgets}`, { headers: { accept } })).text) as JsonObject;
    expect(table).toMatchObject({ kind: "Table", rows: [{ cells: ["a", expect.any(String)] }] });
    server.kinds.remove(widget);
    expect((await call("GET /apis")).headers.etag).toBe(before.headers.etag);
    expect((await call(`GET ${widgets}`)).code).toBe(404);
    expect(await read("/openapi/v3")).toEqual(core);
  });

  test("keeps its watches when it is replaced, and ends them when it is removed", async () => {
    const { server, request, watch } = await startTestApiServer();
    server.kinds.register(schemalessKind(widget, ["v1", "v1alpha1"]));
    const old = await watch("/apis/example.com/v1alpha1/widgets?watch=true");
    const stream = await watch(`${widgets}?watch=true`);
    server.kinds.replace(schemalessKind(widget));
    await request(`POST ${widgets}`, object("a"));
    expect([old.ended, stream.ended]).toEqual([true, false]);
    server.kinds.remove(widget);
    expect(stream.ended).toBe(true);
    expect(pendingEvents(stream)).toEqual(["ADDED a"]);
  });

  test("is not written by a request that was under way when it was removed", async () => {
    const { server, store } = await startTestApiServer();
    server.kinds.register(schemalessKind(widget));
    const resource = server.kinds.find("example.com", "v1", "widgets");
    if (resource === undefined) throw new Error("not registered");
    server.kinds.remove(widget);
    const body = { form: "value", value: object("late") } as const;
    const request = { verb: "create", resource, namespace: "default", options: {}, body } as const;
    const user = { name: "admin", groups: ["system:masters"] };
    await expect(server.requestHandler.handle({ ...request, user })).rejects.toMatchObject({ code: 404 });
    expect(store.collection(resource.collection).count()).toBe(0);
  });
});
