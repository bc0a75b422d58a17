import { expect, test } from "vitest";
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
