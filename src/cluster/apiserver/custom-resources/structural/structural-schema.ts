import type { Json, JsonObject } from "../../../../api/json.ts";

/** The types that a schema may name. */
export type SchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean";

/** A rule of `x-kubernetes-validations`. */
export interface SchemaRule {
  readonly rule: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
}

/**
 * The OpenAPI schema of a custom resource, or of one of its fields, read from `JSONSchemaProps`. The branches of `allOf`,
 * `anyOf`, `oneOf` and `not` have the same form; in a structural schema they only restrict values.
 */
export interface StructuralSchema {
  /** The type; absent if the source names none or no known one. */
  readonly type?: SchemaType | undefined;
  readonly format?: string | undefined;
  readonly nullable: boolean;
  /** The default; absent for `default: null` too. */
  readonly default?: Json | undefined;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  readonly additionalProperties?: StructuralSchema | boolean | undefined;
  readonly items?: StructuralSchema | undefined;

  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType?: "atomic" | "set" | "map" | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType?: "granular" | "atomic" | undefined;
  readonly rules: readonly SchemaRule[];

  readonly maximum?: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly maxItems?: number | undefined;
  readonly minItems?: number | undefined;
  readonly uniqueItems: boolean;
  readonly maxProperties?: number | undefined;
  readonly minProperties?: number | undefined;
  readonly required: readonly string[];
  readonly enum?: readonly Json[] | undefined;
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not?: StructuralSchema | undefined;

  /** The JSON that the schema was read from. */
  readonly source: JsonObject;
}
