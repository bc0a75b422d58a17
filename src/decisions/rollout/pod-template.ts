import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import { isJsonObject } from "../../api/json.ts";
import { normalForm } from "../../api/schema/semantic-equality.ts";
import { countOf } from "./counts.ts";

/** The label that separates the Pods of the revisions; templates are compared without it. */
export const hashLabel = "pod-template-hash";

// Objects are immutable, so the text of a template is computed once.
const forms = new WeakMap<object, string>();

/** The canonical text of a template without its hash label. */
function canonicalTextOf(template: PodTemplateSpec): string {
  if (!isJsonObject(template)) return canonicalTemplate(template);
  const known = forms.get(template);
  if (known !== undefined) return known;
  const form = canonicalTemplate(withoutHash(template));
  forms.set(template, form);
  return form;
}

/** Whether two templates describe the same Pods. */
export function isSameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return canonicalTextOf(a) === canonicalTextOf(b);
}

/** Whether a ReplicaSet has a template that describes the same Pods. */
export function hasTemplate({ spec }: ReplicaSet, template: PodTemplateSpec): boolean {
  return spec.template !== undefined && isSameTemplate(spec.template, template);
}

/** The template without its hash label. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const labels = template.metadata?.labels;
  if (labels?.[hashLabel] === undefined) return template;
  const { [hashLabel]: _, ...others } = labels;
  return { ...template, metadata: { ...template.metadata, labels: others } };
}

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

/** A text that is equal for semantically equal templates. */
function canonicalTemplate(template: unknown): string {
  return canonicalJson(normalForm("core.v1.PodTemplateSpec", template));
}

/** JSON text that is equal for equal values: keys sorted, absent and null members left out. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
