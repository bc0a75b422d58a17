import { describe, expect, test, vi } from "vitest";
import { defaultFeatureGates } from "../../../api/feature-gates.ts";
import type { JsonObject } from "../../../api/json.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { apiServicesCollection } from "../aggregation/aggregated-api.ts";
import { namesIn, startTestApiServer } from "../api-server-fixture.contract.ts";
import { createKindRegistry } from "../kind-registry.ts";
import { createOpenApi } from "../openapi/openapi.ts";
import {
  define,
  definitions,
  foo,
  fooDefinition,
  foos,
  fooVersion,
  startFooServer,
} from "./foo-definition.contract.ts";

const text = { type: "string" };

/** A schema of objects in objects. */
function deep(levels: number): JsonObject {
  let schema: JsonObject = text;
  for (let level = 0; level < levels; level++) schema = { type: "object", properties: { a: schema } };
  return schema;
}

interface Hostile {
  readonly name: string;
  readonly schema: JsonObject;
  readonly code: number;
}

const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}`, text]));

describe("a definition", () => {
  test.for<Hostile>([
    { name: "that is deeper than JSON may be", schema: deep(150), code: 400 },
    { name: "that is deep", schema: deep(60), code: 201 },
    { name: "that is wide", schema: { type: "object", properties: wide }, code: 201 },
    { name: "that refers to itself", schema: { $ref: "#/definitions/a" }, code: 422 },
    { name: "with a pattern that backtracks", schema: { ...text, pattern: "^(a+)+$" }, code: 201 },
    {
      name: "with a pattern that is too large",
      schema: { ...text, pattern: "((a{1000}){1000}){9}" },
      code: 422,
    },
    { name: "with a default of a megabyte", schema: { ...text, default: "x".repeat(2 ** 20) }, code: 201 },
    { name: "with a default of two megabytes", schema: { ...text, default: "x".repeat(2 ** 21) }, code: 413 },
    {
      name: "whose keywords are names of objects",
      schema: { type: "object", properties: { constructor: text, toString: text } },
      code: 201,
    },
  ])("$name is answered with $code, and keeps nothing else from being served", async ({ schema, code }) => {
    const api = await startTestApiServer();
    const answer = await api.request(
      `POST ${definitions}`,
      fooDefinition([fooVersion("v1", { spec: { v: schema } })]),
    );
    expect(answer.code).toBe(code);
    await define(api, {
      ...fooDefinition(undefined, { names: { plural: "bars", kind: "Bar" } }),
      metadata: { name: "bars.example.com" },
    });
    const bars = foos.replace("foos", "bars");
    expect((await api.request(`POST ${bars}`, { ...foo({}), kind: "Bar" })).code).toBe(201);
    expect(namesIn(await api.request(`GET ${bars}`))).toEqual(["x"]);
  });
});

describe("a definition with 10,000 versions", () => {
  const count = 10_000;
  // Nothing but what is required: more would be more values than a body may have.
  const versions = Array.from({ length: count }, (_, index) => ({
    name: `v${index + 1}`,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: { type: "object" } },
  }));
  const definition = fooDefinition(versions);
  const last = foos.replace("v1", `v${count}`);

  test("is served in all of them, by what was made once", async () => {
    const api = await startTestApiServer();
    await define(api, definition);
    await api.request(`POST ${foos}`, foo({}));
    expect(namesIn(await api.request(`GET ${last}`))).toEqual(["x"]);
    const before = api.server.kinds.find("example.com", `v${count}`, "foos");
    await api.request(`DELETE ${definitions}/foos.example.com`);
    const after = api.server.kinds.find("example.com", `v${count}`, "foos");
    expect(after?.isTerminating).toBe(true);
    expect(after?.strategy).toBe(before?.strategy);
    expect(after?.schema).toBe(before?.schema);
  });

  test("is registered, replaced and removed by looking at each a few times", async () => {
    const api = await startFooServer();
    const [version] = api.server.kinds.sharing("foos.example.com");
    if (version === undefined) throw new Error("Foo is not served");
    let looks = 0;
    const resources = versions.map(({ name }) => ({
      ...version,
      version: name,
      get collection() {
        looks++;
        return "foos.example.com";
      },
    }));
    const kinds = createKindRegistry([]);
    const kind = { group: "example.com", kind: "Foo", versions: resources };
    kinds.register(kind);
    kinds.replace(kind);
    expect(kinds.sharing("foos.example.com")).toHaveLength(count);
    kinds.remove(kind);
    expect(kinds.sharing("foos.example.com")).toEqual([]);
    expect(looks).toBeLessThan(20 * count);
  });

  test("may have an APIService for each: none is read again when another comes or goes", async () => {
    const api = await startTestApiServer();
    const records = vi.spyOn(api.store.collection(apiServicesCollection), "records");
    const path = "/apis/apiregistration.k8s.io/v1/apiservices";
    const priorities = { groupPriorityMinimum: 1000, versionPriority: 100 };
    for (const version of ["v2", "v1"]) {
      const service = { namespace: "default", name: "parts" };
      const spec = { group: "parts.io", version, service, insecureSkipTLSVerify: true, ...priorities };
      const { code } = await api.request(`POST ${path}`, {
        metadata: { name: `${version}.parts.io` },
        spec,
      });
      expect(code).toBe(201);
    }
    const { aggregator } = api.server;
    expect(aggregator.all().map(({ version }) => version)).toEqual(["v1", "v2"]);
    await api.request(`DELETE ${path}/v1.parts.io`);
    expect(aggregator.all().map(({ version }) => version)).toEqual(["v2"]);
    expect(aggregator.find("parts.io", "v1")).toBeUndefined();
    expect(records).not.toHaveBeenCalled();
  });

  test("is described in OpenAPI with a pause after each", async () => {
    const some = versions.slice(0, 3000);
    const api = await startFooServer(fooDefinition(some));
    let pauses = 0;
    const yieldToEventLoop = () => {
      pauses++;
      return undefined;
    };
    const { kinds } = api.server;
    const clock = Object.assign(new VirtualClock(), { yieldToEventLoop });
    const openApi = createOpenApi({ resources: () => kinds.all, clock });
    const { paths } = JSON.parse((await openApi.index(defaultFeatureGates)).body) as { paths: JsonObject };
    expect(paths).toHaveProperty(["apis/example.com/v3000"]);
    expect(pauses).toBeGreaterThan(some.length);
  });
});

test("a pattern that backtracks is matched in linear time", async () => {
  const api = await startTestApiServer();
  await define(api, fooDefinition([fooVersion("v1", { spec: { v: { ...text, pattern: "^(a+)+$" } } })]));
  expect((await api.request(`POST ${foos}`, foo({ v: `${"a".repeat(5000)}b` }))).code).toBe(422);
});

test("patterns are matched with long texts, and other work is done meanwhile", async () => {
  let pauses = 0;
  const yieldToEventLoop = () => {
    pauses += 1;
    return Promise.resolve();
  };
  const api = await startTestApiServer({ clock: Object.assign(new VirtualClock(), { yieldToEventLoop }) });
  const pattern = "^(?:[ab]?){500}$";
  const long = "a".repeat(3_000);
  const ruled = { ...text, maxLength: 60_000 };
  const rules = (rule: string): JsonObject => ({ ...ruled, "x-kubernetes-validations": [{ rule }] });
  const spec = {
    v: { ...text, pattern },
    w: { ...text, pattern, default: "a".repeat(400) },
    r: rules(`self.matches('${pattern}')`),
    f: rules(`self.find('${pattern}') == self`),
  };
  await define(api, fooDefinition([fooVersion("v1", { spec })]));
  for (const field of ["v", "r", "f"]) {
    pauses = 0;
    const { code, body } = await api.request(`POST ${foos}`, foo({ [field]: long }));
    expect({ code, message: body["message"] }).toMatchObject({
      code: 422,
      message: expect.stringMatching(/spec\.v in body should match|failed rule/),
    });
    expect(pauses).toBeGreaterThan(5);
    const short = { ...foo({ [field]: "ab" }), metadata: { name: field } };
    expect((await api.request(`POST ${foos}`, short)).code).toBe(201);
  }
});

test("a default that takes many steps to match is refused if it does not", async () => {
  const api = await startTestApiServer();
  const v = { ...text, pattern: "^(?:[ab]?){500}$", default: "a".repeat(1_000) };
  const { code, body } = await api.request(
    `POST ${definitions}`,
    fooDefinition([fooVersion("v1", { spec: { v } })]),
  );
  expect({ code, message: body["message"] }).toMatchObject({
    code: 422,
    message: expect.stringContaining("should match"),
  });
});

test("an object gets no more than may be stored, whatever its defaults", async () => {
  const api = await startTestApiServer();
  const item = { type: "object", properties: { v: { ...text, default: "x".repeat(10_000) } } };
  await define(api, fooDefinition([fooVersion("v1", { spec: { l: { type: "array", items: item } } })]));
  const { code } = await api.request(`POST ${foos}`, foo({ l: Array.from({ length: 1000 }, () => ({})) }));
  expect(code).toBe(413);
});
