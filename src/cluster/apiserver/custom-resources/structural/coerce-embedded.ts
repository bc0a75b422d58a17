import { formatFieldPath } from "../../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { decodeObject } from "../../../../api/schema/decode-object.ts";
import { schemaOfField } from "./apply-defaults.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** A value whose embedded objects have metadata of the right types. */
export interface Coerced {
  readonly value: Json;
  /** The paths of unknown fields of metadata. */
  readonly unknownFields: readonly string[];
  /** Why the metadata of an embedded object cannot be decoded, if so. */
  readonly error?: string | undefined;
}

interface Walk {
  readonly path: (string | number)[];
  readonly unknown: string[];
  error: string | undefined;
}

/** Decodes the metadata of the objects that are embedded in a value, and drops its unknown fields. */
export function coerceEmbedded(value: Json, schema: StructuralSchema): Coerced {
  if (!embeds(schema)) return { value, unknownFields: [] };
  const walk: Walk = { path: [], unknown: [], error: undefined };
  const coerced = coerce(value, { ...schema, embeddedResource: false }, walk);
  return { value: coerced, unknownFields: walk.unknown, error: walk.error };
}

const known = new WeakMap<StructuralSchema, boolean>();

/** Reports whether a schema has embedded objects anywhere; most have none. */
function embeds(schema: StructuralSchema): boolean {
  const made = known.get(schema);
  if (made !== undefined) return made;
  const { additionalProperties, items, properties } = schema;
  const inner = [...properties.values(), ...(items === undefined ? [] : [items])];
  if (typeof additionalProperties === "object") inner.push(additionalProperties);
  const found = schema.embeddedResource || inner.some(embeds);
  known.set(schema, found);
  return found;
}

function coerce(value: Json, schema: StructuralSchema | undefined, walk: Walk): Json {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, index) =>
      coerceAt(index, { value: item, schema: schema.items }, walk),
    );
  }
  if (!isJsonObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    const made = coerceField(name, { value: field, schema }, walk);
    if (made !== undefined) entries.push([name, made]);
  }
  return Object.fromEntries(entries);
}

function coerceField(
  name: string,
  { value, schema }: { readonly value: Json; readonly schema: StructuralSchema },
  walk: Walk,
): Json | undefined {
  if (schema.embeddedResource && name === "metadata") return decodeMetadata(value, walk);
  return coerceAt(name, { value, schema: schemaOfField(name, schema) }, walk);
}

function coerceAt(
  step: string | number,
  { value, schema }: { readonly value: Json; readonly schema: StructuralSchema | undefined },
  walk: Walk,
): Json {
  walk.path.push(step);
  const made = coerce(value, schema, walk);
  walk.path.pop();
  return made;
}

function decodeMetadata(value: Json, walk: Walk): JsonObject | undefined {
  if (value === null) return undefined;
  const decoded = decodeObject("meta.v1.ObjectMeta", value);
  const path = formatFieldPath([...walk.path, "metadata"]);
  if (!decoded.ok) {
    walk.error ??= `${path}: ${decoded.error}`;
    return undefined;
  }
  for (const text of decoded.unknownFields) walk.unknown.push(`${path}.${nameIn(text)}`);
  return decoded.object;
}

/** Returns the field that `unknown field "x"` names. */
function nameIn(text: string): string {
  return String(JSON.parse(text.slice("unknown field ".length)));
}
