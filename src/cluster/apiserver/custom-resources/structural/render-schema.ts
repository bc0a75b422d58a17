import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { apiVersionOf, type Resource } from "../../../../api/resource.ts";
import { schemaReference } from "../../openapi/schema-names.ts";
import type { RenderedType } from "../../openapi/type-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** `com.example.v1.Foo` for the kind Foo of `example.com/v1`. */
export function customTypeName({
  group,
  version,
  kind,
}: Pick<Resource, "group" | "version" | "kind">): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

/** A custom kind in one version. */
export type CustomKind = Pick<Resource, "group" | "version" | "kind"> & {
  /** The kind of its lists. */
  readonly listKind?: string;
  /** The paths of the fields that field selectors may name. */
  readonly selectableFields?: readonly string[];
};

/** Renders the types of a custom kind and its list for OpenAPI documents, by name. */
export function renderCustomTypes(
  resource: CustomKind,
  schema: StructuralSchema,
): ReadonlyMap<string, RenderedType> {
  const { group, version, kind, listKind = `${kind}List`, selectableFields = [] } = resource;
  const type = customTypeName(resource);
  const listType = customTypeName({ group, version, kind: listKind });
  const { properties, ...root } = rendered(schema.source);
  const object: JsonObject = {
    ...root,
    type: "object",
    properties: { ...(isJsonObject(properties) && properties), ...headOf(resource, "meta.v1.ObjectMeta") },
    "x-kubernetes-group-version-kind": [{ group, version, kind }],
    ...(selectableFields.length > 0 && {
      "x-kubernetes-selectable-fields": selectableFields.map((path) => ({ fieldPath: path.slice(1) })),
    }),
  };
  const list: JsonObject = {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      ...headOf(resource, "meta.v1.ListMeta"),
      items: { type: "array", items: schemaReference(type) },
    },
    "x-kubernetes-group-version-kind": [{ group, version, kind: listKind }],
  };
  return new Map([
    [type, { schema: object, references: new Set(["meta.v1.ObjectMeta"]) }],
    [listType, { schema: list, references: new Set([type, "meta.v1.ListMeta"]) }],
  ]);
}

function headOf(resource: Pick<Resource, "group" | "version">, metadata: string): JsonObject {
  return {
    apiVersion: { type: "string", description: `Always ${apiVersionOf(resource)}.` },
    kind: { type: "string", description: "The kind of the object." },
    metadata: schemaReference(metadata),
  };
}

/** Renders a schema: embedded objects have the fields of all objects. */
function rendered(source: JsonObject): JsonObject {
  const made = Object.fromEntries(
    Object.keys(source).map((name) => [name, renderedKeyword(name, source[name])]),
  );
  if (
    source["x-kubernetes-int-or-string"] === true &&
    source["anyOf"] === undefined &&
    source["allOf"] === undefined
  )
    return { ...made, anyOf: [{ type: "integer" }, { type: "string" }] };
  return source["x-kubernetes-embedded-resource"] === true ? embedded(made) : made;
}

const schemas = new Set(["items", "not", "additionalProperties"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf"]);

function renderedKeyword(name: string, value: Json | undefined): Json | undefined {
  if (isJsonObject(value) && schemas.has(name)) return rendered(value);
  if (isJsonObject(value) && name === "properties")
    return Object.fromEntries(Object.keys(value).map((key) => [key, renderedSchema(value[key])]));
  if (Array.isArray(value) && schemaLists.has(name)) return (value as readonly Json[]).map(renderedSchema);
  return value;
}

function renderedSchema(value: Json | undefined): Json {
  return isJsonObject(value) ? rendered(value) : (value ?? {});
}

function embedded(schema: JsonObject): JsonObject {
  const given = Array.isArray(schema["required"]) ? (schema["required"] as readonly Json[]) : [];
  const required = [...new Set([...given, "apiVersion", "kind"])];
  const fields = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const properties = {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    ...fields,
    metadata: schemaReference("meta.v1.ObjectMeta"),
  };
  return { ...schema, required, properties };
}
