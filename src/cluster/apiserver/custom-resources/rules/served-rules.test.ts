import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { startTestApiServer } from "../../api-server-fixture.contract.ts";
import {
  definitions,
  foo,
  fooDefinition,
  foos,
  fooVersion,
  startFooServer,
} from "../foo-definition.contract.ts";

const integer = { type: "integer" };
const text = { type: "string" };
const rule = (rule: string, more: JsonObject = {}) => ({ "x-kubernetes-validations": [{ rule, ...more }] });

interface Row {
  readonly name: string;
  readonly version: Parameters<typeof fooVersion>[1];
  readonly spec: JsonObject;
  readonly error: string;
}

describe("an object is refused by", () => {
  test.for<Row>([
    {
      name: "a rule with a message",
      version: { spec: { n: integer }, ofSpec: rule("self.n < 3", { message: "m" }) },
      spec: { n: 3 },
      error: "spec: Invalid value: m",
    },
    {
      name: "a rule without one, on a scalar",
      version: { spec: { n: { ...integer, ...rule("self < 3") } } },
      spec: { n: 3 },
      error: "spec.n: Invalid value: 3: failed rule: self < 3",
    },
    {
      name: "a rule with a reason and a field",
      version: {
        spec: { n: integer, b: text },
        ofSpec: rule("has(self.b)", { message: "m", reason: "FieldValueRequired", fieldPath: ".b" }),
      },
      spec: { n: 3 },
      error: "spec.b: Required value: m",
    },
    {
      name: "a rule of the root",
      version: { root: rule("self.metadata.name == 'y'", { message: "m" }) },
      spec: {},
      error: "<nil>: Invalid value: m",
    },
    {
      name: "a rule that reads what is absent",
      version: { spec: { a: integer }, ofSpec: rule("self.a > 1") },
      spec: {},
      error: 'spec: Invalid value: "object": no such key: a evaluating rule: self.a > 1',
    },
    {
      name: "a rule that meets another type",
      version: { spec: { p: { "x-kubernetes-int-or-string": true, ...rule("self > 5") } } },
      spec: { p: "x" },
      error:
        "spec.p: Invalid value: \"\": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self > 5",
    },
    {
      name: "a rule on fields whose names are escaped",
      version: {
        spec: { "x-y": text, namespace: text },
        ofSpec: rule("self.x__dash__y != self.__namespace__", { message: "m" }),
      },
      spec: { "x-y": "a", namespace: "a" },
      error: "spec: Invalid value: m",
    },
    {
      name: "its schema, and then rules are skipped",
      version: { spec: { n: integer }, ofSpec: { required: ["n"], ...rule("false") } },
      spec: {},
      error:
        "[spec.n: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]",
    },
  ])("$name", async ({ version, spec, error }) => {
    const { request } = await startFooServer(fooDefinition([fooVersion("v1", version)]));
    const { code, body } = await request(`POST ${foos}`, foo(spec));
    expect({ code, message: body["message"] }).toEqual({
      code: 422,
      message: `Foo.example.com "x" is invalid: ${error}`,
    });
  });
});

describe("an update", () => {
  const set = { type: "array", "x-kubernetes-list-type": "set", items: text };

  test("is refused by a rule about the old value, which holds for a set in another order", async () => {
    const version = fooVersion("v1", { spec: { l: set, n: integer }, ofSpec: rule("self.l == oldSelf.l") });
    const { request } = await startFooServer(fooDefinition([version]));
    await request(`POST ${foos}`, foo({ l: ["a", "b"] }));
    const patch = async (spec: JsonObject) => {
      const type = "application/merge-patch+json";
      return (await request(`PATCH ${foos}/x`, { spec }, type)).code;
    };
    expect(await patch({ l: ["b", "a"] })).toBe(200);
    expect(await patch({ l: ["c"] })).toBe(422);
  });
});

describe("a definition is refused for", () => {
  const items = { ...text, ...rule("self == oldSelf") };
  test.for<{ name: string; version: Row["version"]; suffix: string }>([
    {
      name: "a field that does not exist",
      version: { ofSpec: rule("self.foo == 1") },
      suffix: "compilation failed: ERROR: <input>:1:5: undefined field 'foo'\n | self.foo == 1\n | ....^",
    },
    {
      name: "the old values of a list without keys",
      version: { spec: { l: { type: "array", items } } },
      suffix:
        "oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[spec].properties[l]",
    },
    {
      name: "a rule that may cost too much",
      version: {
        spec: { l: { type: "array", items: text, ...rule("self.all(x, self.all(y, x == y))") } },
      },
      suffix:
        "estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)",
    },
  ])("$name", async ({ version, suffix }) => {
    const { request } = await startTestApiServer();
    const definition = fooDefinition([fooVersion("v1", version)]);
    const { code, body } = await request(`POST ${definitions}`, definition);
    expect(code).toBe(422);
    expect(body["message"]).toContain(suffix);
  });
});
