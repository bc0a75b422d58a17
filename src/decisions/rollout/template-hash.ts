import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import { countOf } from "./counts.ts";
import { canonicalTextOf } from "./template-equality.ts";

/** What hashes are written with: no vowels and nothing that reads as one, so that no hash is ever a word. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * The hash that names a template's ReplicaSet: equal for equal templates, and another one after every collision.
 * It need not be Go's: ReplicaSets are found by their template, never by their name.
 */
export function hashTemplate(template: PodTemplateSpec, collisionCount?: number | null): string {
  const text = new TextEncoder().encode(canonicalTextOf(template));
  return safeEncode(fnv1a(collisionBytes(collisionCount), fnv1a(text)));
}

/** FNV-1a with 32 bits, continued from an earlier part. */
export function fnv1a(bytes: Iterable<number>, seed = 0x811c9dc5): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** A number in decimal, its digits written as `4 5 6 7 8 9 b c d f`. */
function safeEncode(hash: number): string {
  return Array.from(String(hash), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length] ?? "").join("");
}

function collisionBytes(count: number | null | undefined): Uint8Array {
  if (count === undefined || count === null) return new Uint8Array(0);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, countOf(count), true);
  return bytes;
}
