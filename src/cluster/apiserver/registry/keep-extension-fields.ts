import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { schemaTable } from "../../../api/schema/table.ts";
import type { ServedResource } from "../served-resource.ts";

/**
 * The object with those fields of the stored one that only we know and it does not have. Protobuf has no place for
 * them: a client that reads and writes them back in it would take them away without knowing.
 */
export function keepExtensionFields(
  resource: ServedResource,
  object: JsonObject,
  stored: JsonObject,
): JsonObject {
  const names = extensionFieldsOf(resource);
  const { spec } = object;
  const before = stored["spec"];
  if (names.length === 0 || !isJsonObject(spec) || !isJsonObject(before)) return object;
  const carried: Record<string, Json | undefined> = {};
  for (const name of names) {
    if (spec[name] === undefined && before[name] !== undefined) carried[name] = before[name];
  }
  return { ...object, spec: { ...spec, ...carried } };
}

function extensionFieldsOf({ type }: ServedResource): readonly string[] {
  const { types } = schemaTable();
  const spec = types.get(type)?.fields["spec"]?.type ?? "";
  const fields = types.get(spec)?.fields ?? {};
  return Object.keys(fields).filter((name) => fields[name]?.ours === true);
}
