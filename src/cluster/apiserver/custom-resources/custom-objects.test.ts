import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { namesIn } from "../api-server-fixture.contract.ts";
import { invalidCases } from "./custom-objects.cases.ts";
import {
  definitions,
  foo,
  fooDefinition,
  foos,
  fooVersion,
  startFooServer,
} from "./foo-definition.contract.ts";

const integer = { type: "integer" };
const text = { type: "string" };
const mergePatch = "application/merge-patch+json";
const applyPatch = "application/apply-patch+yaml";
const path = `${definitions}/foos.example.com`;

const startWith = (...versions: Parameters<typeof fooVersion>[1][]) =>
  startFooServer(fooDefinition(versions.map((version, index) => fooVersion(`v${index + 1}`, version))));

describe("an object is refused that has", () => {
  test.for(invalidCases)("$name", async ({ schema, spec, errors, reason }) => {
    const { request } = await startWith(schema);
    const { code, body } = await request(`POST ${foos}`, foo(spec));
    const shown = errors.length === 1 ? errors.join("") : `[${errors.join(", ")}]`;
    expect({ code, message: body["message"] }).toEqual({
      code: 422,
      message: `Foo.example.com "x" is invalid: ${shown}`,
    });
    expect(body["details"]).toMatchObject({ name: "x", group: "example.com", kind: "Foo" });
    const { causes } = body["details"] as { readonly causes: readonly JsonObject[] };
    if (reason !== undefined) expect(causes[0]?.["reason"]).toBe(reason);
  });
});

describe("a body", () => {
  test.for<{ name: string; body: JsonObject; code: number; message: string }>([
    {
      name: "without a version",
      body: { kind: "Foo", metadata: { name: "x" } },
      code: 400,
      message: "the API version in the data () does not match the expected API version (example.com/v1)",
    },
    {
      name: "without a kind",
      body: { apiVersion: "example.com/v1" },
      code: 400,
      message:
        "the object provided is unrecognized (must be of type Foo): Object 'Kind' is missing in " +
        `'{"apiVersion":"example.com/v1"}' ({"apiVersion":"example.com/v1" ...)`,
    },
    {
      name: "of another kind",
      body: { ...foo(), kind: "Bar" },
      code: 422,
      message: 'Bar.example.com "x" is invalid: kind: Invalid value: "Bar": must be Foo',
    },
  ])("$name is refused", async ({ body, code, message }) => {
    const { request } = await startFooServer();
    const answer = await request(`POST ${foos}`, body);
    expect({ code: answer.code, message: answer.body["message"] }).toEqual({ code, message });
  });

  const doubled =
    '{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"x"},"spec":{"a":1,"a":2,"b":3}}';

  test("with unknown and repeated fields is refused, or pruned with warnings", async () => {
    const { request } = await startWith({ spec: { a: integer } });
    const strict = await request(`POST ${foos}?fieldValidation=Strict`, doubled);
    expect(strict).toMatchObject({
      code: 400,
      body: {
        message:
          'Foo in version "v1" cannot be handled as a Foo: strict decoding error: duplicate field "spec.a", ' +
          'unknown field "spec.b"',
      },
    });
    const { code, body, warnings } = await request(`POST ${foos}`, doubled);
    expect({ code, spec: body["spec"], warnings }).toEqual({
      code: 201,
      spec: { a: 2 },
      warnings: ['duplicate field "spec.a"', 'unknown field "spec.b"'],
    });
    const patch = await request(`PATCH ${foos}/x?fieldValidation=Strict`, { spec: { c: 1 } }, mergePatch);
    expect(patch.code).toBe(422);
    expect(patch.body["message"]).toMatch(/^ "" is invalid: patch: Invalid value: .*unknown field "spec.c"/);
  });

  test("with a finalizer that no domain qualifies gets a warning", async () => {
    const { request } = await startFooServer();
    const { warnings } = await request(
      `POST ${foos}`,
      foo({}, { metadata: { name: "x", finalizers: ["hold"] } }),
    );
    expect(warnings).toEqual([
      'metadata.finalizers: "hold": prefer a domain-qualified finalizer name to avoid accidental conflicts with ' +
        "other finalizer writers",
    ]);
  });
});

describe("values", () => {
  test("that are null stay where they may be, and otherwise give way to the default, or to nothing", async () => {
    const { request } = await startWith({
      spec: { a: { ...text, nullable: true }, b: { ...text, default: "x" }, c: text },
    });
    const { body } = await request(`POST ${foos}`, foo({ a: null, b: null, c: null }));
    expect(body["spec"]).toEqual({ a: null, b: "x" });
  });

  test("have a new default at once, and lose fields that are gone, in the same version of the object", async () => {
    const { request } = await startWith({ spec: { a: text, b: text } });
    const { body } = await request(`POST ${foos}`, foo({ a: "1", b: "2" }));
    const next = fooVersion("v1", { spec: { a: text, n: { ...integer, default: 7 } } });
    await request(`PATCH ${path}`, { spec: { versions: [next] } }, mergePatch);
    const read = await request(`GET ${foos}/x`);
    expect(read.body["spec"]).toEqual({ a: "1", n: 7 });
    expect(read.body["metadata"]).toMatchObject({
      resourceVersion: (body["metadata"] as JsonObject)["resourceVersion"],
    });
  });

  test("that became invalid are tolerated while they are unchanged", async () => {
    const { request } = await startWith({ spec: { n: { ...integer, maximum: 10 }, m: integer } });
    await request(`POST ${foos}`, foo({ n: 9 }));
    const next = fooVersion("v1", { spec: { n: { ...integer, maximum: 5 }, m: integer } });
    await request(`PATCH ${path}`, { spec: { versions: [next] } }, mergePatch);
    expect((await request(`PATCH ${foos}/x`, { spec: { m: 1 } }, mergePatch)).code).toBe(200);
    expect((await request(`PATCH ${foos}/x`, { spec: { n: 8 } }, mergePatch)).code).toBe(422);
  });

  test("match patterns that change their flags on the way", async () => {
    const { request } = await startWith({ spec: { v: { ...text, pattern: "^(?i)(abort|warn)?$" } } });
    expect((await request(`POST ${foos}`, foo({ v: "ABORT" }))).code).toBe(201);
  });
});

describe("the status subresource", () => {
  const status = { n: integer };

  test("is the only way to the status, and counts as no generation", async () => {
    const { request } = await startWith({ spec: { a: text }, status });
    const created = await request(`POST ${foos}`, foo({ a: "1" }, { status: { n: 1 } }));
    expect(created.body["status"]).toBeUndefined();
    const sent = {
      ...created.body,
      metadata: { ...(created.body["metadata"] as JsonObject), labels: { a: "b" } },
      spec: { a: "2" },
      status: { n: 2 },
    };
    const written = await request(`PUT ${foos}/x/status`, sent);
    expect(written).toMatchObject({ code: 200, body: { spec: { a: "1" }, status: { n: 2 } } });
    expect(written.body["metadata"]).toMatchObject({ generation: 1 });
    expect(written.body["metadata"]).not.toHaveProperty("labels");
    const kept = await request(`PUT ${foos}/x`, { ...written.body, status: { n: 3 } });
    expect(kept.body).toMatchObject({ status: { n: 2 }, metadata: { generation: 1 } });
    const invalid = await request(`PATCH ${foos}/x/status`, { status: { n: "a" } }, mergePatch);
    expect(invalid.body["message"]).toBe(
      'Foo.example.com "x" is invalid: status.n: Invalid value: "string": n in body must be of type integer: "string"',
    );
    const { body } = await request(`PUT ${foos}/x/status`, { ...written.body, status: undefined });
    expect(body["status"]).toBeUndefined();
  });

  test("is not there for a version without it, whose status is a field like others", async () => {
    const { request } = await startWith({ status, version: { subresources: {} } });
    const created = await request(`POST ${foos}`, foo({}, { status: { n: 1 } }));
    expect(created.body["status"]).toEqual({ n: 1 });
    const next = await request(`PATCH ${foos}/x`, { status: { n: 2 } }, mergePatch);
    expect(next.body).toMatchObject({ status: { n: 2 }, metadata: { generation: 2 } });
    const answer = await request(`GET ${foos}/x/status`);
    expect(answer).toMatchObject({ code: 404, body: { message: 'foos.example.com "x" not found' } });
  });

  test("takes no creates", async () => {
    const { request } = await startFooServer();
    expect(await request(`POST ${foos}/x/status`, foo())).toMatchObject({
      code: 405,
      body: { message: 'create is not supported on resources of kind "foos.example.com"' },
    });
  });
});

describe("the scale subresource", () => {
  const scalable = {
    spec: { replicas: integer, a: text },
    status: { replicas: integer, selector: text },
    version: {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.replicas",
          statusReplicasPath: ".status.replicas",
          labelSelectorPath: ".status.selector",
        },
      },
    },
  };

  test("reads and writes the fields that the definition names", async () => {
    const { request } = await startWith(scalable);
    const { body } = await request(`POST ${foos}`, foo({ replicas: 2 }));
    await request(`PUT ${foos}/x/status`, { ...body, status: { replicas: 1, selector: "a=b" } });
    expect((await request(`GET ${foos}/x/scale`)).body).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "x", namespace: "default" },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: "a=b" },
    });
    const scaled = await request(`PATCH ${foos}/x/scale`, { spec: { replicas: 5 } }, mergePatch);
    expect(scaled).toMatchObject({ code: 200, body: { spec: { replicas: 5 } } });
    expect((await request(`GET ${foos}/x`)).body).toMatchObject({
      spec: { replicas: 5 },
      metadata: { generation: 2 },
    });
    const applied = await request(
      `PATCH ${foos}/x/scale?fieldManager=me&force=true`,
      { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { name: "x" }, spec: { replicas: 6 } },
      applyPatch,
    );
    expect(applied).toMatchObject({ code: 200, body: { spec: { replicas: 6 } } });
  });

  test("says that an object does not say how many replicas it wants", async () => {
    const { request } = await startWith(scalable);
    await request(`POST ${foos}`, foo({ a: "1" }));
    expect(await request(`GET ${foos}/x/scale`)).toMatchObject({
      code: 500,
      body: { message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist' },
    });
    expect(await request(`PATCH ${foos}/x/scale`, {}, mergePatch)).toMatchObject({
      code: 400,
      body: { message: 'the spec replicas field ".spec.replicas" cannot be empty' },
    });
    expect((await request(`PATCH ${foos}/x/scale`, { spec: { replicas: 0 } }, mergePatch)).code).toBe(200);
    expect((await request(`GET ${foos}/x`)).body["spec"]).toEqual({ a: "1", replicas: 0 });
  });
});

describe("updates", () => {
  test("have to name the version that they change", async () => {
    const { request } = await startFooServer();
    await request(`POST ${foos}`, foo());
    expect(await request(`PUT ${foos}/x`, foo())).toMatchObject({
      code: 422,
      body: {
        message:
          'foos.example.com "x" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      },
    });
    expect((await request(`PUT ${foos}/y`, foo({}, { metadata: { name: "y" } }))).code).toBe(404);
  });
});

describe("server-side apply", () => {
  test("knows no fields that the schema does not have, whatever the field validation", async () => {
    const { request } = await startWith({ spec: { a: text } });
    const unknown = await request(
      `PATCH ${foos}/x?fieldManager=me&fieldValidation=Ignore`,
      foo({ foo: 1 }),
      applyPatch,
    );
    expect(unknown.code).toBe(500);
    expect(unknown.body["message"]).toBe(
      "failed to create typed patch object (/x; example.com/v1, Kind=Foo): .spec.foo: field not declared in schema",
    );
  });

  test("shares what is in objects that no schema describes, but not lists", async () => {
    const { request } = await startWith({
      spec: {
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: text } },
        freer: { "x-kubernetes-preserve-unknown-fields": true },
      },
    });
    const apply = (manager: string, spec: JsonObject) =>
      request(`PATCH ${foos}/x?fieldManager=${manager}`, foo(spec), applyPatch);
    await apply("one", { free: { known: "1", a: { b: 1 } }, freer: { a: { b: 1 }, l: [1] } });
    expect((await apply("two", { free: { a: { c: 2 } }, freer: { a: { c: 2 } } })).body["spec"]).toEqual({
      free: { known: "1", a: { b: 1, c: 2 } },
      freer: { a: { b: 1, c: 2 }, l: [1] },
    });
    expect(await apply("two", { free: { a: { b: 3 } }, freer: { a: 3, l: [1, 2] } })).toMatchObject({
      code: 409,
      body: {
        message:
          'Apply failed with 3 conflicts: conflicts with "one":\n- .spec.free.a.b\n- .spec.freer.a\n- .spec.freer.l',
      },
    });
  });

  test("keeps a null, which the schema refuses unless there is a default", async () => {
    const { request } = await startWith({
      spec: { n: integer, d: { ...integer, default: 1 }, m: { type: "object", additionalProperties: text } },
    });
    const apply = (spec: JsonObject) => request(`PATCH ${foos}/x?fieldManager=me`, foo(spec), applyPatch);
    expect(await apply({ n: null, m: { a: null } })).toMatchObject({
      code: 422,
      body: {
        message:
          'Foo.example.com "x" is invalid: [spec.n: Invalid value: "null": spec.n in body must be of type integer: "null", ' +
          'spec.m.a: Invalid value: "null": spec.m.a in body must be of type string: "null"]',
      },
    });
    expect((await apply({ d: null })).body["spec"]).toEqual({ d: 1 });
  });

  test("does not own defaults, and gives up a field to its default", async () => {
    const { request } = await startWith({ spec: { n: { ...integer, default: 1 }, a: text } });
    const apply = (spec: JsonObject) => request(`PATCH ${foos}/x?fieldManager=me`, foo(spec), applyPatch);
    const created = await apply({ a: "1" });
    expect(created.body["spec"]).toEqual({ a: "1", n: 1 });
    const { managedFields } = created.body["metadata"] as { readonly managedFields: readonly JsonObject[] };
    expect(managedFields).toMatchObject([
      { manager: "me", apiVersion: "example.com/v1", fieldsV1: { "f:spec": { "f:a": {} } } },
    ]);
    expect((await apply({ a: "1", n: 5 })).body["spec"]).toEqual({ a: "1", n: 5 });
    expect((await apply({ a: "1" })).body["spec"]).toEqual({ a: "1", n: 1 });
  });

  test("merges lists by their keys, and tells of conflicts", async () => {
    const parts = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: text, n: integer } },
    };
    const { request } = await startWith({ spec: { parts } });
    const apply = (manager: string, spec: JsonObject) =>
      request(`PATCH ${foos}/x?fieldManager=${manager}`, foo(spec), applyPatch);
    await apply("one", { parts: [{ name: "a", n: 1 }] });
    expect((await apply("two", { parts: [{ name: "b", n: 2 }] })).body["spec"]).toEqual({
      parts: [
        { name: "a", n: 1 },
        { name: "b", n: 2 },
      ],
    });
    expect(await apply("two", { parts: [{ name: "a", n: 2 }] })).toMatchObject({
      code: 409,
      body: { message: 'Apply failed with 1 conflict: conflict with "one": .spec.parts[name="a"].n' },
    });
  });
});

describe("field selectors", () => {
  test("may name the selectable fields of the version", async () => {
    const { request } = await startWith({
      spec: { colour: text },
      version: { selectableFields: [{ jsonPath: ".spec.colour" }] },
    });
    for (const [name, colour] of [
      ["a", "red"],
      ["b", "green"],
    ] as const)
      await request(`POST ${foos}`, foo({ colour }, { metadata: { name } }));
    expect(namesIn(await request(`GET ${foos}?fieldSelector=spec.colour%3Dred`))).toEqual(["a"]);
    expect(await request(`GET ${foos}?fieldSelector=spec.x%3D1`)).toMatchObject({
      code: 400,
      body: { message: "field label not supported: spec.x" },
    });
  });
});

describe("several versions", () => {
  const two = fooDefinition([
    fooVersion("v1", { spec: { a: text, old: text } }),
    fooVersion("v2", { spec: { a: text, n: integer } }),
  ]);
  const foosV2 = foos.replace("v1", "v2");

  test("show the same objects, each pruned by its own schema", async () => {
    const { request, watch, server } = await startFooServer(two);
    const stream = await watch(`${foosV2}?watch=true`);
    await request(`POST ${foos}`, foo({ a: "1", old: "x" }));
    const read = await request(`GET ${foosV2}/x`);
    expect(read.body).toMatchObject({ apiVersion: "example.com/v2", kind: "Foo" });
    expect(read.body["spec"]).toEqual({ a: "1" });
    await request(`PATCH ${foosV2}/x`, { spec: { a: "2", n: 3 } }, mergePatch);
    expect((await request(`GET ${foos}/x`)).body["spec"]).toEqual({ a: "2" });
    const events = stream.take(10);
    expect(events.map((event) => "item" in event && event.item.object["apiVersion"])).toEqual([
      "example.com/v2",
      "example.com/v2",
    ]);
    expect(server.kinds.sharing("foos.example.com").map(({ version }) => version)).toEqual(["v1", "v2"]);
  });

  test("keep an object in the version that it was written in, until it is written again", async () => {
    const { request, store } = await startFooServer(two);
    await request(`POST ${foos}`, foo({ a: "1" }));
    const [v1, v2] = (two["spec"] as { readonly versions: readonly JsonObject[] }).versions;
    const versions = [
      { ...v1, storage: false },
      { ...v2, storage: true },
    ];
    await request(`PATCH ${path}`, { spec: { versions } }, mergePatch);
    const stored = () => store.collection("foos.example.com").get("default/x")?.object.apiVersion;
    expect(stored()).toBe("example.com/v1");
    await request(`PATCH ${foos}/x`, { spec: { a: "2" } }, mergePatch);
    expect(stored()).toBe("example.com/v2");
    expect((await request(`GET ${foos}/x`)).body).toMatchObject({
      apiVersion: "example.com/v1",
      spec: { a: "2" },
    });
  });

  test("leave an object unreadable whose version is gone", async () => {
    const { request } = await startFooServer(two);
    await request(`POST ${foos}`, foo({ a: "1" }));
    const [, v2] = (two["spec"] as { readonly versions: readonly JsonObject[] }).versions;
    await request(
      `PATCH ${path}`,
      { spec: { versions: [fooVersion("v1", { version: { storage: false } }), { ...v2, storage: true }] } },
      mergePatch,
    );
    await request(`PATCH ${path}/status`, { status: { storedVersions: ["v2"] } }, mergePatch);
    await request(`PATCH ${path}`, { spec: { versions: [{ ...v2, storage: true }] } }, mergePatch);
    expect(await request(`GET ${foosV2}/x`)).toMatchObject({
      code: 500,
      body: {
        message: expect.stringContaining(
          "request to convert CR from an invalid group/version: example.com/v1",
        ) as unknown,
      },
    });
  });
});
