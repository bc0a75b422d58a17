import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { type DecodedObject, decodeObject } from "../../../api/schema/decode-object.ts";
import { zeroValue } from "../../../api/schema/zero-value.ts";
import { withoutUntracked } from "../managed-fields/field-structure.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import { lazily } from "./lazily.ts";
import { applyDefaults } from "./structural/apply-defaults.ts";
import { coerceEmbedded } from "./structural/coerce-embedded.ts";
import { fieldStructureOf } from "./structural/field-structure-of.ts";
import { nullProblems } from "./structural/null-problems.ts";
import { pruneObject } from "./structural/prune.ts";
import { type CustomKind, customTypeName, renderCustomTypes } from "./structural/render-schema.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";

/** A type with the fields that objects of every kind have, and no others. */
const headType = "meta.v1.PartialObjectMetadata";

/**
 * Returns how objects of a custom kind are decoded, owned and documented, by the structural schema of a version, which is
 * read when it is first needed.
 */
export function customKindSchema(kind: CustomKind, schema: () => StructuralSchema): KindSchema {
  const structure = lazily(() => fieldStructureOf(schema()));
  const trackedStructure = lazily(() => withoutUntracked(structure()));
  const definitions = lazily(() => renderCustomTypes(kind, schema()));
  return {
    type: customTypeName(kind),
    decode: (value, known) => decode(value, schema(), known),
    appliedProblems: (object) => nullProblems(object, schema()),
    isSame: deepEqual,
    isSameIn: (field, left, right) => deepEqual(left[field], right[field]),
    zero: zeroValue(headType),
    initialStatus: undefined,
    extensionFields: [],
    get structure() {
      return structure();
    },
    get trackedStructure() {
      return trackedStructure();
    },
    get definitions() {
      return definitions();
    },
  };
}

/** Decodes the fields of all objects by their type; the others are pruned and get their defaults. */
function decode(value: Json, schema: StructuralSchema, known: JsonObject | undefined): DecodedObject {
  const { apiVersion, kind, metadata, ...others } = isJsonObject(value) ? value : {};
  const sent = isJsonObject(value) ? { apiVersion, kind, metadata } : value;
  const head = decodeObject(headType, sent, known && headOf(known));
  if (!head.ok) return headProblem(metadata) ?? head;
  const pruned = pruneObject(others, schema);
  const coerced = coerceEmbedded(pruned.value, schema);
  if (coerced.error !== undefined) return { ok: false, error: coerced.error };
  const fields = isJsonObject(coerced.value) ? coerced.value : {};
  const unknown = [...pruned.unknownFields, ...coerced.unknownFields].map(
    (path) => `unknown field ${JSON.stringify(path)}`,
  );
  return {
    ok: true,
    object: { ...head.object, ...reusing(known, applyDefaults(fields, schema)) },
    unknownFields: [...head.unknownFields, ...unknown],
  };
}

/** upstream: the metadata of an object of a custom kind is decoded by itself, which the text says. */
function headProblem(metadata: Json | undefined): DecodedObject | undefined {
  const decoded = decodeObject("meta.v1.ObjectMeta", metadata ?? {});
  return decoded.ok ? undefined : decoded;
}

function headOf({ apiVersion, kind, metadata }: JsonObject): JsonObject {
  return { apiVersion, kind, metadata };
}

/** Takes every field that is unchanged from the known object. */
function reusing(known: JsonObject | undefined, fields: JsonObject): JsonObject {
  if (known === undefined) return fields;
  const entries = Object.keys(fields).map((name): [string, Json | undefined] => {
    const isKnown = Object.hasOwn(known, name) && deepEqual(known[name], fields[name]);
    return [name, isKnown ? known[name] : fields[name]];
  });
  return Object.fromEntries(entries);
}
