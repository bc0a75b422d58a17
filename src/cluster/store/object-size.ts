import type { Json, JsonObject } from "../../api/json.ts";

// Estimates of V8's allocations: a header for each text, list and object, and a slot for each value.
const textBytes = 16;
const valueBytes = 8;
const listBytes = 32;
const objectBytes = 48;
const memberBytes = 16;

/** Estimates how many bytes of memory a JSON value takes: about three times its encoding, or once where it is mostly text. */
export function estimatedSize(value: Json | undefined): number {
  if (typeof value === "string") return textBytes + value.length;
  if (typeof value !== "object" || value === null) return valueBytes;
  return isList(value) ? listSize(value) : objectSize(value);
}

/** Estimates the size of an object without one of its members. */
export function estimatedSizeWithout(object: JsonObject, left: string): number {
  let bytes = objectBytes;
  for (const name in object)
    if (name !== left) bytes += memberBytes + name.length + estimatedSize(object[name]);
  return bytes;
}

function listSize(items: readonly Json[]): number {
  let bytes = listBytes;
  for (const item of items) bytes += estimatedSize(item);
  return bytes;
}

function objectSize(object: JsonObject): number {
  let bytes = objectBytes;
  // Not Object.entries: this runs for every write, and the pairs would cost as much as the rest.
  for (const name in object) bytes += memberBytes + name.length + estimatedSize(object[name]);
  return bytes;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);
