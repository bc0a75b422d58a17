import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { namesIn, pendingEvents } from "../api-server-fixture.contract.ts";
import {
  definitions,
  foo,
  foos,
  fooVersion,
  fooDefinition,
  startFooServer,
} from "./foo-definition.contract.ts";

const integer = { n: { type: "integer" } };

test("a definition is established, and its objects can be created, read, listed, watched, updated, patched and deleted", async () => {
  const { request, watch } = await startFooServer(fooDefinition([fooVersion("v1", { spec: integer })]));
  const definition = await request(`GET ${definitions}/foos.example.com`);
  expect(definition.body["status"]).toMatchObject({
    acceptedNames: { plural: "foos", singular: "foo", kind: "Foo", listKind: "FooList" },
    storedVersions: ["v1"],
    conditions: [
      { type: "NamesAccepted", status: "True", reason: "NoConflicts" },
      { type: "Established", status: "True", reason: "InitialNamesAccepted" },
    ],
  });
  const stream = await watch(`${foos}?watch=true`);
  const created = await request(`POST ${foos}`, foo({ n: 1 }));
  expect(created).toMatchObject({ code: 201, body: { spec: { n: 1 }, metadata: { generation: 1 } } });
  const updated = await request(`PUT ${foos}/x`, { ...created.body, spec: { n: 2 } });
  expect(updated).toMatchObject({ code: 200, body: { spec: { n: 2 }, metadata: { generation: 2 } } });
  const patched = await request(`PATCH ${foos}/x`, { spec: { n: 3 } }, "application/merge-patch+json");
  expect(patched).toMatchObject({ code: 200, body: { spec: { n: 3 }, metadata: { generation: 3 } } });
  const applied = await request(
    `PATCH ${foos}/y?fieldManager=me`,
    foo({ n: 4 }, { metadata: { name: "y" } }),
    "application/apply-patch+yaml",
  );
  expect(applied).toMatchObject({ code: 201, body: { spec: { n: 4 } } });
  expect(namesIn(await request(`GET ${foos}`))).toEqual(["x", "y"]);
  expect(await request(`DELETE ${foos}/x`)).toMatchObject({ code: 200, body: { status: "Success" } });
  expect(pendingEvents(stream)).toEqual(["ADDED x", "MODIFIED x", "MODIFIED x", "ADDED y", "DELETED x"]);
});

test("an object that is refused gets the warnings about its unknown fields, too", async () => {
  const { request } = await startFooServer(fooDefinition([fooVersion("v1", { spec: integer })]));
  const refused = await request(`POST ${foos}`, foo({ n: "a", unknown: 1 }));
  expect(refused).toMatchObject({ code: 422, warnings: ['unknown field "spec.unknown"'] });
});

test("so does an update that is refused, by its version or by its schema", async () => {
  const { request } = await startFooServer(fooDefinition([fooVersion("v1", { spec: integer })]));
  const { body } = await request(`POST ${foos}`, foo({ n: 1 }));
  for (const object of [
    foo({ n: 2, unknown: 1 }, { metadata: { name: "x", resourceVersion: "1" } }),
    { ...body, spec: { n: "a", unknown: 1 } },
  ])
    expect((await request(`PUT ${foos}/x`, object)).warnings).toEqual(['unknown field "spec.unknown"']);
});

test("a dry run shows the default of a status that the body does not keep", async () => {
  const status = { n: { type: "integer", default: 3 } };
  const root = { properties: { status: { type: "object", properties: status, default: {} } } };
  const { request } = await startFooServer(fooDefinition([fooVersion("v1", { root })]));
  for (const query of ["?dryRun=All", ""])
    expect((await request(`POST ${foos}${query}`, foo())).body["status"]).toEqual({ n: 3 });
});

test("managed fields are dropped where a version of a manager does not know a field", async () => {
  const versions = [
    fooVersion("v1", { spec: { a: { type: "string" } } }),
    fooVersion("v2", { spec: { a: { type: "string" }, b: { type: "string" } } }),
  ];
  const { request } = await startFooServer(fooDefinition(versions));
  await request(`POST ${foos}`, foo({ a: "1" }));
  const merge = "application/merge-patch+json";
  const managers = async (spec: JsonObject) => {
    const { body } = await request(`PATCH ${foos.replace("v1", "v2")}/x`, { spec }, merge);
    const { managedFields = [] } = body["metadata"] as { readonly managedFields?: readonly JsonObject[] };
    return managedFields.map(({ apiVersion }) => apiVersion);
  };
  expect(await managers({ a: "2" })).toEqual(["example.com/v1", "example.com/v2"]);
  expect(await managers({ b: "2" })).toEqual([]);
});

test("a definition keeps a stored version, and its generation when it is deleted", async () => {
  const { request } = await startFooServer();
  const path = `${definitions}/foos.example.com`;
  const merge = "application/merge-patch+json";
  const emptied = await request(`PATCH ${path}/status`, { status: { storedVersions: [] } }, merge);
  expect(emptied.body["status"]).toMatchObject({ storedVersions: ["v1"] });
  const moved = await request(`PATCH ${path}`, { spec: { group: "a.b" } }, merge);
  expect(moved.body["message"]).toMatch(/is invalid: spec.group: Invalid value: "a.b": field is immutable$/);
  const { metadata } = (await request(`DELETE ${path}`)).body;
  expect(metadata).toMatchObject({ generation: 1 });
  expect(metadata).not.toHaveProperty("deletionGracePeriodSeconds");
});

test("without a status subresource the creator owns the status", async () => {
  const version = fooVersion("v1", { status: integer, version: { subresources: {} } });
  const { request } = await startFooServer(fooDefinition([version]));
  const { body } = await request(`POST ${foos}`, foo({}, { status: { n: 1 } }));
  expect(body["metadata"]).toMatchObject({
    managedFields: [{ fieldsV1: { "f:status": { ".": {}, "f:n": {} } } }],
  });
});

test("defaults below additionalProperties are not checked, and a new definition has null conditions", async () => {
  const map = { type: "object", additionalProperties: { type: "integer", default: 2, maximum: 1 } };
  const { request } = await startFooServer();
  const definition = fooDefinition([fooVersion("v1", { spec: { map } })], {
    names: { plural: "bars", kind: "Bar" },
  });
  const metadata = { name: "bars.example.com" };
  const answer = await request(`POST ${definitions}?dryRun=All`, { ...definition, metadata });
  expect(answer).toMatchObject({ code: 201, body: { status: { conditions: null } } });
});
