import { isJsonObject, type Json, type JsonObject } from "../../../../../api/json.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  string,
  timestamp,
} from "../../../cel/types/cel-type.ts";
import { escapeName } from "../../../cel/types/escape-name.ts";
import { schemasOf } from "../../../openapi/document.ts";
import { schemaName } from "../../../openapi/schema-names.ts";
import { renderType } from "../../../openapi/type-schema.ts";
import type { ServedResource } from "../../../served-resource.ts";

/** Returns the type of the objects of a resource, as OpenAPI describes them; `undefined` if it describes nothing. */
export function objectTypeOf({ kind, schema }: ServedResource): CelType | undefined {
  const { type, definitions } = schema;
  const schemas = schemasOf([type], (name) => definitions?.get(name) ?? renderType(name, new Set()));
  return new SchemaTypes(schemas).typeOf({ $ref: `${prefix}${schemaName(type)}` }, kind);
}

const prefix = "#/components/schemas/";

/** The types of strings that have a format. */
const formats: ReadonlyMap<Json | undefined, CelType> = new Map<Json | undefined, CelType>([
  ["byte", bytes],
  ["duration", duration],
  ["date", timestamp],
  ["date-time", timestamp],
]);

const scalars: ReadonlyMap<Json | undefined, CelType> = new Map<Json | undefined, CelType>([
  ["boolean", bool],
  ["number", double],
  ["integer", int],
]);

/** Reads types from schemas that refer to each other. */
class SchemaTypes {
  readonly #schemas: JsonObject;
  /** The schemas that the one being read is in. */
  readonly #around = new Set<string>();

  constructor(schemas: JsonObject) {
    this.#schemas = schemas;
  }

  /** Returns the type of a schema under a name; `undefined` if expressions cannot see its values. */
  typeOf(schema: Json | undefined, name: string): CelType | undefined {
    if (!isJsonObject(schema)) return undefined;
    const reference = referenceIn(schema);
    if (reference === undefined) return this.#plainTypeOf(schema, name);
    // A schema inside of itself is an object without fields, as upstream.
    if (this.#around.has(reference)) return { kind: "object", name, fields: new Map() };
    this.#around.add(reference);
    const type = this.typeOf(this.#schemas[reference], name);
    this.#around.delete(reference);
    return type;
  }

  #plainTypeOf(schema: JsonObject, name: string): CelType | undefined {
    const { type, format, items } = schema;
    if (format === "int-or-string" || schema["x-kubernetes-int-or-string"] === true) return dyn;
    if (type === "object") return this.#objectTypeOf(schema, name);
    if (type === "string") return formats.get(format) ?? string;
    if (type !== "array") return scalars.get(type);
    const element = this.typeOf(items, `${name}.@idx`);
    return element && list(element);
  }

  #objectTypeOf({ properties, additionalProperties }: JsonObject, name: string): CelType | undefined {
    if (isJsonObject(additionalProperties)) {
      const value = this.typeOf(additionalProperties, `${name}.@elem`);
      return value && map(string, value);
    }
    const fields = new Map<string, CelType>();
    for (const [field, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const escaped = escapeName(field);
      const type = escaped === undefined ? undefined : this.typeOf(schema, `${name}.${escaped}`);
      if (escaped !== undefined && type !== undefined) fields.set(escaped, type);
    }
    return { kind: "object", name, fields };
  }
}

/** Returns the name of the schema that a schema refers to; `allOf` is there for the description beside it. */
function referenceIn({ $ref, allOf }: JsonObject): string | undefined {
  if (typeof $ref === "string") return $ref.slice(prefix.length);
  const [first] = Array.isArray(allOf) ? (allOf as readonly Json[]) : [];
  return isJsonObject(first) && typeof first["$ref"] === "string" ? referenceIn(first) : undefined;
}
