import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import { isJsonObject } from "../../api/json.ts";
import { fnv1a, safeEncode } from "../../api/safe-hash.ts";
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

/**
 * The hash that names a template's ReplicaSet: equal for equal templates, and another one after every collision.
 * It need not be Go's: ReplicaSets are found by their template, never by their name.
 */
export function hashTemplate(template: PodTemplateSpec, collisionCount?: number | null): string {
  const text = new TextEncoder().encode(canonicalTextOf(template));
  return safeEncode(fnv1a(collisionBytes(collisionCount), fnv1a(text)));
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
