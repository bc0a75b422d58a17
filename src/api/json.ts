/** A value as JSON has them. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object as JSON has them; absent members are `undefined`, never there. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is an object (not an array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
