import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../api/json.ts";
import { convertSchema } from "../openapi/swagger.ts";
import { customKindSchema } from "./custom-kind-schema.ts";
import { readStructuralSchema } from "./structural/read-structural-schema.ts";

const foo = { group: "example.com", version: "v1", kind: "Foo" };
const head = { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "x" } };
const embedded = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};

function schemaOf(properties: JsonObject): ReturnType<typeof customKindSchema> {
  const source = { type: "object", properties: { spec: { type: "object", properties } } };
  return customKindSchema(foo, () => readStructuralSchema(source));
}

function decoded(properties: JsonObject, value: Json): unknown {
  return schemaOf(properties).decode(value);
}

test("an object is pruned, gets its defaults, and its unknown fields are named in order", () => {
  const properties = { n: { type: "integer", default: 1 }, e: embedded };
  const sent = {
    ...head,
    metadata: { name: "x", nonsense: 1 },
    spec: { b: 1, e: { apiVersion: "v1", kind: "Pod", metadata: { name: "p", more: 1 }, extra: 1 } },
    top: 1,
  };
  expect(decoded(properties, sent)).toEqual({
    ok: true,
    object: {
      ...head,
      spec: { n: 1, e: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, extra: 1 } },
    },
    unknownFields: [
      'unknown field "metadata.nonsense"',
      'unknown field "spec.b"',
      'unknown field "top"',
      'unknown field "spec.e.metadata.more"',
    ],
  });
});

test("metadata of the wrong type is an error, at the root and in embedded objects", () => {
  expect(decoded({}, { ...head, metadata: { name: 1 } })).toMatchObject({ ok: false });
  expect(decoded({ e: embedded }, { ...head, spec: { e: { metadata: { labels: 1 } } } })).toMatchObject({
    ok: false,
  });
  expect(decoded({}, [])).toMatchObject({ ok: false });
});

test("unchanged fields are those of the known object", () => {
  const schema = schemaOf({ l: { type: "array", items: { type: "string" } } });
  const known = { ...head, spec: { l: ["a"] } };
  const again = schema.decode({ ...head, spec: { l: ["a"], gone: 1 } }, known);
  expect(again.ok && again.object["spec"]).toBe(known.spec);
});

test("ownership divides objects and lists by their list types and map types", () => {
  const { structure } = schemaOf({
    map: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", properties: { name: { type: "string", default: "main" } } },
    },
    plain: { type: "array", items: { type: "string" } },
    whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" } } },
    labels: { type: "object", additionalProperties: { type: "string" } },
  });
  const spec = structure.kind === "struct" ? structure.members.get("spec")?.structure : undefined;
  const members = spec?.kind === "struct" ? spec.members : new Map<string, never>();
  expect(members.get("map")?.structure).toMatchObject({
    atomic: false,
    keys: [{ name: "name", default: "main" }],
  });
  expect(members.get("plain")?.structure).toMatchObject({ kind: "list", atomic: true });
  expect(members.get("whole")?.structure).toMatchObject({ kind: "struct", atomic: true });
  expect(members.get("labels")?.structure).toMatchObject({
    kind: "map",
    atomic: false,
    values: { type: "string" },
  });
});

test("OpenAPI has the whole schema in version 3, and in version 2 what it can say", () => {
  const schema = schemaOf({
    n: { type: "integer", nullable: true },
    p: { "x-kubernetes-int-or-string": true },
    o: { type: "object", properties: { a: { type: "string" } }, oneOf: [{ required: ["a"] }], default: {} },
  });
  const type = schema.definitions?.get("com.example.v1.Foo")?.schema ?? {};
  expect(type).toMatchObject({
    properties: {
      spec: {
        properties: { p: { anyOf: [{ type: "integer" }, { type: "string" }] }, n: { nullable: true } },
      },
      metadata: { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" },
    },
    "x-kubernetes-group-version-kind": [{ group: "example.com", version: "v1", kind: "Foo" }],
  });
  const converted = convertSchema(type);
  expect(converted).toMatchObject({ properties: { spec: { properties: { n: {} } } } });
  const { spec } = (converted as { properties: { spec?: { properties: Json } } }).properties;
  expect(spec?.properties).toEqual({
    n: {},
    p: { "x-kubernetes-int-or-string": true },
    o: { type: "object", properties: { a: { type: "string" } } },
  });
});
