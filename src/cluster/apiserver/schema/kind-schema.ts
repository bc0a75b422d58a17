import type { FieldError } from "../../../api/field-error.ts";
import type { Json, JsonObject } from "../../../api/json.ts";
import type { DecodedObject } from "../../../api/schema/decode-object.ts";
import type { FieldStructure } from "../managed-fields/field-structure.ts";
import type { RenderedType } from "../openapi/type-schema.ts";
import type { MergeRule } from "../patch/merge-rule.ts";

/**
 * Describes the fields of a kind's objects: how they are decoded, compared, owned, patched and documented. Built-in
 * kinds take this from the schema table (`tableSchema`); kinds that are registered while the server runs bring their
 * own.
 */
export interface KindSchema {
  /** The name of the type in OpenAPI documents: one of the schema table, or one of `definitions`. */
  readonly type: string;
  /** Decodes JSON as an object of the kind; parts that are unchanged are taken from `known`. */
  decode(value: Json, known?: JsonObject): DecodedObject;
  /** Reports whether two versions of an object mean the same. */
  isSame(left: JsonObject, right: JsonObject): boolean;
  /** Reports whether two versions of an object mean the same in one field. */
  isSameIn(field: string, left: JsonObject, right: JsonObject): boolean;
  /** The fields that every new object has, which its creator therefore does not own. */
  readonly zero: JsonObject;
  /** The status that a new object is stored with, if any. */
  readonly initialStatus: JsonObject | undefined;
  /** The fields of the spec that protobuf cannot carry. */
  readonly extensionFields: readonly string[];
  /** Describes how ownership divides an object. */
  readonly structure: FieldStructure;
  /** The structure without the fields whose ownership is not tracked. */
  readonly trackedStructure: FieldStructure;
  /** Describes how a strategic merge patch treats an object; absent if the kind has no such patches. */
  readonly mergeRule?: MergeRule | undefined;
  /** Reports what is wrong with an object that an apply made, and that decoding would mend; absent if that is nothing. */
  readonly appliedProblems?: (object: JsonObject) => readonly FieldError[];
  /** The types in OpenAPI documents that are not in the schema table, by name. */
  readonly definitions?: ReadonlyMap<string, RenderedType>;
}
