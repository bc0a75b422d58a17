import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";
import { parseJson } from "../../src/api/parse-json.ts";
import { customKindSchema } from "../../src/cluster/apiserver/custom-resources/custom-kind-schema.ts";
import { findByPath } from "../../src/cluster/apiserver/custom-resources/printer-columns/find-by-path.ts";
import { parseColumnPath } from "../../src/cluster/apiserver/custom-resources/printer-columns/json-path.ts";
import { compileRules } from "../../src/cluster/apiserver/custom-resources/rules/compile-rules.ts";
import { readStructuralSchema } from "../../src/cluster/apiserver/custom-resources/structural/read-structural-schema.ts";
import { validateListTypes } from "../../src/cluster/apiserver/custom-resources/structural/validate-list-types.ts";
import { validateStructuralSchema } from "../../src/cluster/apiserver/custom-resources/structural/validate-structural-schema.ts";
import { validateValue } from "../../src/cluster/apiserver/custom-resources/structural/validate-value.ts";
import { validateEmbedded } from "../../src/cluster/apiserver/custom-resources/validate-embedded.ts";
import type { FuzzTarget } from "./targets.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const item = { type: "object", properties: { name: text, port: integer }, required: ["name"] };

/** A schema with each keyword that values are read by. */
const schema = readStructuralSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      maxProperties: 1000,
      properties: {
        size: { type: "integer", minimum: 0, maximum: 10, multipleOf: 2, default: 2 },
        colour: { type: "string", enum: ["red", "blue"], maxLength: 10, pattern: "^[a-z]*$" },
        delay: { type: "string", format: "duration" },
        since: { type: "string", format: "date-time" },
        address: { type: "string", format: "ipv4" },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        items: {
          type: "array",
          items: item,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
        labels: { type: "object", additionalProperties: { type: "string", default: "" } },
        port: { "x-kubernetes-int-or-string": true },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        choice: {
          type: "object",
          properties: { a: text, b: text },
          oneOf: [{ required: ["a"] }, { required: ["b"] }],
        },
        embedded: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
  },
});
const kind = customKindSchema(
  { group: "example.com", version: "v1", kind: "Foo", listKind: "FooList", selectableFields: [] },
  () => schema,
);
const known: JsonObject = { spec: { size: 4, items: [{ name: "a", port: 1 }], set: ["a"] } };

const jsonIn = (bytes: Uint8Array): Json | undefined => {
  const parsed = parseJson(new TextDecoder().decode(bytes));
  return parsed.ok ? parsed.value : undefined;
};

/** Readers of what a definition says, and of the objects of its kind. */
export const customKindTargets = {
  "custom-schema": (bytes) => {
    const source = jsonIn(bytes);
    if (!isJsonObject(source)) return;
    const read = readStructuralSchema(source);
    validateStructuralSchema(read, "schema");
    compileRules({ schema: read, path: "schema", limitsCost: true });
  },
  "custom-object": (bytes) => {
    const sent = jsonIn(bytes);
    if (sent === undefined) return;
    const decoded = kind.decode(sent, undefined);
    if (!decoded.ok) return;
    validateValue(decoded.object, schema, { old: known });
    validateEmbedded(decoded.object, schema);
    validateListTypes(decoded.object, schema);
  },
  "printer-column": (bytes) => {
    const parsed = parseColumnPath(new TextDecoder().decode(bytes));
    if (parsed.ok) findByPath(known, parsed.steps);
  },
} satisfies Record<string, FuzzTarget>;
