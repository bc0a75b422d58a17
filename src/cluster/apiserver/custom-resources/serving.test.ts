import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { startHttpsTestApiServer } from "../http/https-fixture.contract.ts";
import { define, foo, fooDefinition, foos, fooVersion } from "./foo-definition.contract.ts";

const text = { type: "string" };

async function start(definition: JsonObject) {
  const api = await startHttpsTestApiServer();
  const before = await api.call("GET /apis");
  await define(api, definition);
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    JSON.parse((await api.call(`GET ${path}`, { headers })).text) as JsonObject;
  return { ...api, read, before };
}

test("discovery shows the accepted names, the newest version first, and what is stored", async () => {
  const versions = [fooVersion("v1"), fooVersion("v1beta1"), fooVersion("v2")];
  const names = { plural: "foos", kind: "Foo", shortNames: ["fo"], categories: ["all"] };
  const { read, call, before } = await start(fooDefinition(versions, { names }));
  expect((await call("GET /apis")).headers.etag).not.toBe(before.headers.etag);
  expect(await read("/apis/example.com")).toMatchObject({
    versions: [{ version: "v2" }, { version: "v1" }, { version: "v1beta1" }],
    preferredVersion: { version: "v2" },
  });
  expect(await read("/apis/example.com/v1")).toMatchObject({
    resources: [
      {
        name: "foos",
        singularName: "foo",
        shortNames: ["fo"],
        categories: ["all"],
        kind: "Foo",
        verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
        storageVersionHash: expect.stringMatching(/^.{11}=$/) as unknown,
      },
      { name: "foos/status", verbs: ["get", "patch", "update"] },
    ],
  });
});

test("lists have the list kind of the definition, and tables its columns", async () => {
  const columns = [
    { name: "First", type: "string", jsonPath: ".spec.items[*].name" },
    { name: "Absent", type: "string", jsonPath: ".spec.none" },
  ];
  const items = { type: "array", items: { type: "object", properties: { name: text } } };
  const version = fooVersion("v1", { spec: { items }, version: { additionalPrinterColumns: columns } });
  const names = { plural: "foos", kind: "Foo", listKind: "FooCollection" };
  const { read, request } = await start(fooDefinition([version], { names }));
  await request(`POST ${foos}`, foo({ items: [{ name: "a" }, { name: "b" }] }));
  expect(await read(foos)).toMatchObject({ kind: "FooCollection", apiVersion: "example.com/v1" });
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  expect(await read(foos, { accept })).toMatchObject({
    columnDefinitions: [{ name: "Name" }, { name: "First" }, { name: "Absent" }],
    rows: [{ cells: ["x", "a", null] }],
  });
});

test("OpenAPI has the schema, and patches without the strategic kind", async () => {
  const version = { selectableFields: [{ jsonPath: ".spec.a" }] };
  const { read } = await start(fooDefinition([fooVersion("v1", { spec: { a: text }, version })]));
  const { components, paths } = (await read("/openapi/v3/apis/example.com/v1")) as Record<string, JsonObject>;
  expect(components).toMatchObject({
    schemas: {
      "com.example.v1.Foo": {
        properties: { spec: { properties: { a: text } } },
        "x-kubernetes-selectable-fields": [{ fieldPath: "spec.a" }],
      },
    },
  });
  const object = paths?.["/apis/example.com/v1/namespaces/{namespace}/foos/{name}"] as {
    readonly patch: { readonly requestBody: { readonly content: JsonObject } };
  };
  expect(Object.keys(object.patch.requestBody.content)).toEqual([
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
  ]);
});

test("what is not served is no page, in plain text", async () => {
  const { call } = await start(
    fooDefinition([fooVersion("v1"), fooVersion("v2", { version: { served: false } })]),
  );
  for (const path of ["/apis/example.com/v2/foos", "/apis/example.com/v1/bars", "/apis/other.com/v1/foos"]) {
    const { code, text: body, headers } = await call(`GET ${path}`);
    expect({ code, body }).toEqual({ code: 404, body: "404 page not found\n" });
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  }
});

test("a deprecated version says so, and what to use instead", async () => {
  const versions = [
    fooVersion("v1beta1", { version: { deprecated: true } }),
    fooVersion("v1"),
    fooVersion("v1alpha1", { version: { deprecated: true, deprecationWarning: "Too old." } }),
  ];
  const { call } = await start(fooDefinition(versions));
  const warningAt = async (version: string) =>
    (await call(`GET ${foos.replace("v1", version)}`)).headers["warning"];
  expect(await warningAt("v1")).toBeUndefined();
  expect(await warningAt("v1beta1")).toBe(
    '299 - "example.com/v1beta1 Foo is deprecated; use example.com/v1 Foo"',
  );
  expect(await warningAt("v1alpha1")).toBe('299 - "Too old."');
});

test("YAML of a published size is read: its tokens are bounded by its length", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 14_000 }, (_, index) => [`field${index}`, "the description of a field"]),
  );
  const { call } = await start(fooDefinition());
  const yaml = Object.entries(properties)
    .map(([name, description]) => `    ${name}: ${description}\n`)
    .join("");
  const { code } = await call(`POST ${foos}`, {
    headers: { "content-type": "application/yaml" },
    body: `apiVersion: example.com/v1\nkind: Foo\nmetadata:\n  name: x\nspec:\n${yaml}`,
  });
  expect(code).toBe(201);
});
