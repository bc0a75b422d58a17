import type { JsonObject } from "../../../api/json.ts";
import { zeroValue } from "../../../api/schema/zero-value.ts";
import { compareFields } from "./compare-fields.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { outlineOf } from "./field-outline.ts";
import { trackedStructureOf } from "./field-structure.ts";
import { internFieldSet, longestKept } from "./intern-field-set.ts";
import { RecentlyUsed } from "./recently-used.ts";

/** Far more than the different outlines of the objects that are created in a while. */
const keptOutlines = 1000;

const known = new RecentlyUsed<FieldSet>(keptOutlines);

/** The fields that the creator of an object owns: all that a new object of the type does not have by itself. */
export function createdFields(type: string, object: JsonObject): FieldSet {
  const structure = trackedStructureOf(type);
  // Most objects have the outline of another one, as the Pods of a ReplicaSet do; then their fields are the same.
  const key = `${type}${outlineOf(structure, object)}`;
  const fields = known.get(key);
  if (fields !== undefined) return fields;
  const found = internFieldSet(compareFields(structure, zeroValue(type), object)?.taken ?? emptySet);
  if (key.length <= longestKept) known.set(key, found);
  return found;
}
