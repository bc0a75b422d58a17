import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { namesIn, startTestApiServer } from "../api-server-fixture.contract.ts";
import { define, definitions, foo, fooDefinition, foos, fooVersion } from "./foo-definition.contract.ts";

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

  test("with thousands of versions is served in all of them", async () => {
    const api = await startTestApiServer();
    const versions = Array.from({ length: 1000 }, (_, index) => fooVersion(`v${index + 1}`));
    await define(api, fooDefinition(versions));
    await api.request(`POST ${foos}`, foo({}));
    expect(namesIn(await api.request(`GET ${foos.replace("v1", "v999")}`))).toEqual(["x"]);
  });
});

test("a pattern that backtracks is matched in linear time", async () => {
  const api = await startTestApiServer();
  await define(api, fooDefinition([fooVersion("v1", { spec: { v: { ...text, pattern: "^(a+)+$" } } })]));
  expect((await api.request(`POST ${foos}`, foo({ v: `${"a".repeat(5000)}b` }))).code).toBe(422);
});

test("an object gets no more than may be stored, whatever its defaults", async () => {
  const api = await startTestApiServer();
  const item = { type: "object", properties: { v: { ...text, default: "x".repeat(10_000) } } };
  await define(api, fooDefinition([fooVersion("v1", { spec: { l: { type: "array", items: item } } })]));
  const { code } = await api.request(`POST ${foos}`, foo({ l: Array.from({ length: 1000 }, () => ({})) }));
  expect(code).toBe(413);
});
