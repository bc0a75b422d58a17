import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { namesIn, pendingEvents, startTestApiServer } from "../api-server-fixture.contract.ts";
import { invalidDefinitions } from "./custom-objects.cases.ts";
import {
  define,
  definitions,
  definitionThat,
  foo,
  fooDefinition,
  foos,
  fooVersion,
  hasReason,
  startFooServer,
} from "./foo-definition.contract.ts";

const path = `${definitions}/foos.example.com`;
const likeFoo = { plural: "foes", singular: "foe", kind: "Foo", listKind: "FoeList" };
const mergePatch = "application/merge-patch+json";
const statusOf = ({ body }: { readonly body: JsonObject }) => body["status"] as JsonObject;

describe("a definition is refused if", () => {
  test.for(invalidDefinitions)("$name", async ({ versions = [{}], spec, metadata, error }) => {
    const { request } = await startTestApiServer();
    const made = versions.map((each, index) => fooVersion(`v${index + 1}`, each));
    const definition = fooDefinition(made, spec);
    const { code, body } = await request(`POST ${definitions}`, {
      ...definition,
      metadata: { ...(definition["metadata"] as JsonObject), ...metadata },
    });
    expect({ code, message: body["message"] }).toEqual({
      code: 422,
      message: expect.stringContaining(error) as unknown,
    });
  });
});

describe("a definition", () => {
  test("gets its defaults, is told of at once, and its conditions follow", async () => {
    const api = await startTestApiServer();
    const { body, warnings } = await api.request(
      `POST ${definitions}`,
      fooDefinition([fooVersion("v1", { spec: { f: { type: "string", format: "foo" } } })]),
    );
    expect(body).toMatchObject({
      spec: { names: { singular: "foo", listKind: "FooList" }, conversion: { strategy: "None" } },
      status: { storedVersions: ["v1"], acceptedNames: { kind: "", plural: "" } },
    });
    expect(warnings).toEqual(['unrecognized format "foo"']);
    await definitionThat(api, "foos.example.com", hasReason("Established", "Installing"));
    await definitionThat(api, "foos.example.com", hasReason("Established", "InitialNamesAccepted"));
    expect(statusOf(await api.request(`GET ${path}`))["conditions"]).toMatchObject([
      { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
      { type: "Established", status: "True", message: "the initial names have been accepted" },
    ]);
  });

  test("whose kind another one has is not served, until that one is gone", async () => {
    const api = await startFooServer();
    const other = {
      ...fooDefinition(undefined, { names: likeFoo }),
      metadata: { name: "foes.example.com" },
    };
    await api.request(`POST ${definitions}`, other);
    await definitionThat(api, "foes.example.com", hasReason("NamesAccepted", "KindConflict"));
    expect(statusOf(await api.request(`GET ${definitions}/foes.example.com`))).toMatchObject({
      acceptedNames: { plural: "foes", singular: "foe", kind: "", listKind: "FoeList" },
      conditions: [
        { type: "NamesAccepted", status: "False", message: '"Foo" is already in use' },
        {
          type: "Established",
          status: "False",
          reason: "NotAccepted",
          message: "not all names are accepted",
        },
      ],
    });
    expect(api.server.kinds.find("example.com", "v1", "foes")).toBeUndefined();
    await api.request(`DELETE ${path}`);
    await definitionThat(api, "foes.example.com", hasReason("Established", "InitialNamesAccepted"));
    expect(api.server.kinds.find("example.com", "v1", "foes")?.kind).toBe("Foo");
  });

  test("remembers the versions that objects were stored in, which have to stay", async () => {
    const { request } = await startFooServer();
    const [v1, v2] = [fooVersion("v1", { version: { storage: false } }), fooVersion("v2")];
    const versions = [v1, { ...v2, storage: true }];
    const { body } = await request(`PATCH ${path}`, { spec: { versions } }, mergePatch);
    expect(body["status"]).toMatchObject({ storedVersions: ["v1", "v2"] });
    const dropped = await request(`PATCH ${path}`, { spec: { versions: versions.slice(1) } }, mergePatch);
    expect(dropped.code).toBe(422);
    expect(dropped.body["message"]).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
    );
    const migrated = { status: { storedVersions: ["v2"] } };
    expect((await request(`PATCH ${path}/status`, migrated, mergePatch)).code).toBe(200);
    expect((await request(`PATCH ${path}`, { spec: { versions: versions.slice(1) } }, mergePatch)).code).toBe(
      200,
    );
  });

  test("keeps scope and kind once it is established", async () => {
    const { request } = await startFooServer();
    const { code, body } = await request(`PATCH ${path}`, { spec: { scope: "Cluster" } }, mergePatch);
    expect(code).toBe(422);
    expect(body["message"]).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
  });

  test("that is deleted goes after its objects, and accepts no others meanwhile", async () => {
    const api = await startFooServer();
    const { request } = api;
    await request(`POST ${foos}`, foo({}, { metadata: { name: "held", finalizers: ["example.com/hold"] } }));
    await request(`POST ${foos}`, foo({}, { metadata: { name: "free" } }));
    const stream = await api.watch(`${foos}?watch=true`);
    const deleted = await request(`DELETE ${path}`);
    expect(deleted).toMatchObject({
      code: 200,
      body: {
        metadata: { finalizers: ["customresourcecleanup.apiextensions.k8s.io"] },
        status: {
          conditions: expect.arrayContaining([
            expect.objectContaining({ type: "Terminating", reason: "InstanceDeletionPending" }),
          ]) as unknown,
        },
      },
    });
    await definitionThat(api, "foos.example.com", hasReason("Terminating", "InstanceDeletionInProgress"));
    const refused = await request(`POST ${foos}`, foo({}, { metadata: { name: "late" } }));
    expect(refused).toMatchObject({
      code: 403,
      body: {
        message:
          'foos.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
      },
    });
    expect(namesIn(await request(`GET ${foos}`))).toEqual(["held"]);
    await request(`PATCH ${foos}/held`, { metadata: { finalizers: null } }, mergePatch);
    await definitionThat(api, "foos.example.com", (definition) => definition === undefined);
    expect(api.server.kinds.find("example.com", "v1", "foos")).toBeUndefined();
    expect(pendingEvents(stream)).toEqual([
      "ADDED free",
      "ADDED held",
      "DELETED free",
      "MODIFIED held",
      "DELETED held",
    ]);
    expect(stream.ended).toBe(true);
    await define(api, fooDefinition());
    expect(namesIn(await request(`GET ${foos}`))).toEqual([]);
  });

  test("that was never established is gone at once", async () => {
    const api = await startFooServer();
    const other = {
      ...fooDefinition(undefined, { names: likeFoo }),
      metadata: { name: "foes.example.com" },
    };
    await api.request(`POST ${definitions}`, other);
    await api.request(`DELETE ${definitions}/foes.example.com`);
    await definitionThat(api, "foes.example.com", (definition) => definition === undefined);
    expect((await api.request(`GET ${foos}`)).code).toBe(200);
  });

  test("of one of the server's own groups takes none of its paths", async () => {
    const api = await startTestApiServer();
    const pods = {
      ...fooDefinition(undefined, {
        group: "storage.k8s.io",
        names: { plural: "storageclasses", kind: "Foo" },
      }),
      metadata: {
        name: "storageclasses.storage.k8s.io",
        annotations: { "api-approved.kubernetes.io": "unapproved" },
      },
    };
    await define(api, pods);
    expect(api.server.kinds.find("storage.k8s.io", "v1", "storageclasses")?.kind).toBe("StorageClass");
    expect((await api.request("GET /apis/storage.k8s.io/v1/storageclasses")).code).toBe(200);
  });

  test("is served again by a server that starts on the same store", async () => {
    const { store, request } = await startFooServer();
    await request(`POST ${foos}`, foo({}));
    const again = await startTestApiServer({ store });
    expect(namesIn(await again.request(`GET ${foos}`))).toEqual(["x"]);
  });
});
