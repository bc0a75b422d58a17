import type { JsonObject } from "../../../api/json.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import { compareFields } from "./compare-fields.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { outlineOf } from "./field-outline.ts";
import { internFieldSet, longestKept } from "./intern-field-set.ts";
import { RecentlyUsed } from "../recently-used.ts";

/** How many outlines are kept, far more than the objects that are created in a while have. */
const keptOutlines = 1000;

const knownFields = new RecentlyUsed<FieldSet>(keptOutlines);

/** Numbers the schemas, so that outlines of different schemas differ. */
const schemaNumbers = new WeakMap<KindSchema, number>();
let lastNumber = 0;

function numberOf(schema: KindSchema): number {
  const known = schemaNumbers.get(schema);
  if (known !== undefined) return known;
  lastNumber += 1;
  schemaNumbers.set(schema, lastNumber);
  return lastNumber;
}

/** Returns the fields that the creator of an object owns: all except those that every new object of the kind has. */
export function createdFields(schema: KindSchema, object: JsonObject): FieldSet {
  const structure = schema.trackedStructure;
  // Most objects have the outline of an earlier one, as the Pods of a ReplicaSet do, and therefore the same fields.
  const key = `${numberOf(schema)}${outlineOf(structure, object)}`;
  const fields = knownFields.get(key);
  if (fields !== undefined) return fields;
  const found = internFieldSet(compareFields(structure, schema.zero, object)?.taken ?? emptySet);
  if (key.length <= longestKept) knownFields.set(key, found);
  return found;
}
