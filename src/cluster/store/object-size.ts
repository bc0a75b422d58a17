import type { Json } from "../../api/json.ts";

// About what V8 allocates: a header for each text, list and object, and a slot for each value.
const textBytes = 16;
const valueBytes = 8;
const listBytes = 32;
const objectBytes = 48;
const memberBytes = 16;

/** Estimates how many bytes of memory a JSON value takes: about three times its encoding, or once where it is mostly text. */
export function estimatedSize(value: Json | undefined): number {
  if (typeof value === "string") return textBytes + value.length;
  if (typeof value !== "object" || value === null) return valueBytes;
  if (Array.isArray(value)) {
    let bytes = listBytes;
    for (const item of value as readonly Json[]) bytes += estimatedSize(item);
    return bytes;
  }
  let bytes = objectBytes;
  // Not Object.entries: this runs for every write, and the pairs would cost as much as the rest.
  for (const name in value) bytes += memberBytes + name.length + estimatedSize((value as JsonMembers)[name]);
  return bytes;
}

type JsonMembers = Readonly<Record<string, Json>>;
