import type { JsonObject } from "../../../../api/json.ts";
import { readStructuralSchema } from "../../custom-resources/structural/read-structural-schema.ts";
import type { StructuralSchema } from "../../custom-resources/structural/structural-schema.ts";
import { checkedFormat } from "../../custom-resources/structural/value-format.ts";
import type { SentDefinition } from "./strategy.ts";

/** Returns warnings about formats that nothing checks, where they are new. */
export function definitionWarnings(
  next: SentDefinition,
  previous: SentDefinition | undefined,
): readonly string[] {
  if (previous !== undefined && next.spec === previous.spec) return [];
  const found = new Set<string>();
  for (const schema of schemasOf(next)) addWarnings(schema, found);
  if (previous !== undefined) {
    const known = new Set<string>();
    for (const schema of schemasOf(previous)) addWarnings(schema, known);
    for (const text of known) found.delete(text);
  }
  return [...found];
}

function schemasOf({ spec }: SentDefinition): readonly StructuralSchema[] {
  return (spec?.versions ?? []).map(({ schema }) =>
    // The decoder has checked that it is JSON of this type.
    readStructuralSchema(schema?.openAPIV3Schema as JsonObject | undefined),
  );
}

function addWarnings(schema: StructuralSchema, found: Set<string>): void {
  const { format } = schema;
  if (format !== undefined && checkedFormat(schema) === undefined)
    found.add(`unrecognized format ${JSON.stringify(format)}`);
  for (const property of schema.properties.values()) addWarnings(property, found);
  if (schema.items !== undefined) addWarnings(schema.items, found);
  if (typeof schema.additionalProperties === "object") addWarnings(schema.additionalProperties, found);
  const branches = [...schema.allOf, ...schema.anyOf, ...schema.oneOf];
  for (const branch of schema.not === undefined ? branches : [...branches, schema.not])
    addWarnings(branch, found);
}
