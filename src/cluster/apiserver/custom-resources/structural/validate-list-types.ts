import { duplicate, type FieldError, invalid } from "../../../../api/field-error.ts";
import { isJsonObject, type Json } from "../../../../api/json.ts";
import { schemaOfField } from "./apply-defaults.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Reports items of sets and of list maps that are there twice. */
export function validateListTypes(value: Json, schema: StructuralSchema, base = ""): readonly FieldError[] {
  const errors: FieldError[] = [];
  check({ value, schema, path: base }, errors);
  return errors;
}

interface Checked {
  readonly value: Json;
  readonly schema: StructuralSchema | undefined;
  readonly path: string;
}

function check({ value, schema, path }: Checked, errors: FieldError[]): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    checkItems(list, { schema, path }, errors);
    for (const [index, item] of list.entries())
      check({ value: item, schema: schema.items, path: `${path}[${index}]` }, errors);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const field = value[name];
      const step = schema.properties.has(name) ? fieldIn(path, name) : `${path}[${name}]`;
      if (field !== undefined)
        check({ value: field, schema: schemaOfField(name, schema), path: step }, errors);
    }
  }
}

function fieldIn(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

type Place = Pick<Checked, "path"> & { readonly schema: StructuralSchema };

function checkItems(list: readonly Json[], { schema, path }: Place, errors: FieldError[]): void {
  if (schema.listType !== "set" && schema.listType !== "map") return;
  const foreign =
    schema.listType === "map" ? list.findIndex((item) => item !== null && !isJsonObject(item)) : -1;
  if (foreign !== -1) {
    const detail = "must be an object for an array of list-type map";
    errors.push(invalid(`${path}[${foreign}]`, list[foreign], detail));
    return;
  }
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const identity = schema.listType === "set" ? item : keysOf(item, schema);
    const text = canonical(identity);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    // upstream: each repeated value is reported once.
    if (count === 2) errors.push(duplicate(`${path}[${index}]`, identity));
  }
}

function keysOf(item: Json, { listMapKeys }: StructuralSchema): Json {
  if (!isJsonObject(item)) return {};
  const present = listMapKeys.filter((key) => Object.hasOwn(item, key)).sort();
  return Object.fromEntries(present.map((key) => [key, item[key]]));
}

/** Returns a text that is the same for equal values, whatever the order of their fields. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`);
  return `{${fields.join(",")}}`;
}
