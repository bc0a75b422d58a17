import type { JsonObject } from "../../../api/json.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import { compareFields } from "./compare-fields.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { outlineOf } from "./field-outline.ts";
import { internFieldSet, longestKept } from "./intern-field-set.ts";
import { RecentlyUsed } from "../recently-used.ts";

/** Far more than the different outlines of the objects that are created in a while. */
const keptOutlines = 1000;

const knownFields = new RecentlyUsed<FieldSet>(keptOutlines);

/** Tells the outlines of one schema from those of the others. */
const schemaNumbers = new WeakMap<KindSchema, number>();
let lastNumber = 0;

function numberOf(schema: KindSchema): number {
  const known = schemaNumbers.get(schema);
  if (known !== undefined) return known;
  lastNumber += 1;
  schemaNumbers.set(schema, lastNumber);
  return lastNumber;
}

/** The fields that the creator of an object owns: all that a new object of the kind does not have by itself. */
export function createdFields(schema: KindSchema, object: JsonObject): FieldSet {
  const structure = schema.trackedStructure;
  // Most objects have the outline of another one, as the Pods of a ReplicaSet do; then their fields are the same.
  const key = `${numberOf(schema)}${outlineOf(structure, object)}`;
  const fields = knownFields.get(key);
  if (fields !== undefined) return fields;
  const found = internFieldSet(compareFields(structure, schema.zero, object)?.taken ?? emptySet);
  if (key.length <= longestKept) knownFields.set(key, found);
  return found;
}
