import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import { isJsonObject } from "../../api/json.ts";
import { parseQuantity } from "../../api/quantity/quantity.ts";
import { type Member, shapeOf } from "../../api/schema/shape.ts";
import { parseTime } from "../../api/time.ts";
import { countOf } from "./counts.ts";

/** The label that tells the Pods of one revision from those of another; not part of what a template means. */
export const hashLabel = "pod-template-hash";

// Objects are immutable, so a template has to be read only once however often it is compared.
const forms = new WeakMap<object, string>();

/** The canonical text of a template, its hash label apart. */
export function canonicalTextOf(template: PodTemplateSpec): string {
  if (!isJsonObject(template)) return canonicalTemplate(template);
  const known = forms.get(template);
  if (known !== undefined) return known;
  const form = canonicalTemplate(withoutHash(template));
  forms.set(template, form);
  return form;
}

/** Whether two templates mean the same Pods. */
export function isSameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return canonicalTextOf(a) === canonicalTextOf(b);
}

/** Whether a ReplicaSet makes the Pods of a template. */
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

/**
 * The text of a Pod template in which templates that mean the same are the same: empty lists and maps are as good as
 * absent, so is the zero of a field that cannot tell the two apart, quantities go by value and times by instant.
 */
export function canonicalTemplate(template: unknown): string {
  return canonicalJson(essenceOf("core.v1.PodTemplateSpec", template));
}

/** What is left of a member once everything that means nothing is taken away; `undefined` when that is all of it. */
function memberEssence({ form, type, pointer }: Member, value: unknown): unknown {
  if (form === "list" && Array.isArray(value)) return listEssence(type, value);
  if (form === "map" && isJsonObject(value)) return mapEssence(type, value);
  const essence = essenceOf(type, value);
  return !pointer && isZero(essence) ? undefined : essence;
}

// Elements of lists and maps are there or not: their zeros count.
function listEssence(type: string, list: readonly unknown[]): unknown {
  return list.length === 0 ? undefined : list.map((element) => essenceOf(type, element));
}

function mapEssence(type: string, map: object): unknown {
  const entries = Object.entries(map).map(([key, value]) => [key, essenceOf(type, value) ?? ""]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function essenceOf(type: string, value: unknown): unknown {
  if (type === "Quantity") return quantityEssence(value);
  if (type === "Time") return typeof value === "string" ? (parseTime(value) ?? value) : value;
  return isJsonObject(value) ? structEssence(type, value) : value;
}

function structEssence(type: string, value: object): unknown {
  const members = shapeOf(type)?.byName;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, content]) => {
        const member = members?.get(name);
        return [name, member === undefined ? content : memberEssence(member, content)] as const;
      })
      .filter(([, essence]) => essence !== undefined && essence !== null),
  );
}

function quantityEssence(value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const nanos = parseQuantity(String(value))?.nanos;
  if (nanos === undefined) return value;
  return nanos === 0n ? 0 : `${nanos}n`;
}

function isZero(value: unknown): boolean {
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

/** JSON text that is equal for equal values: keys sorted, absent and null members left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
