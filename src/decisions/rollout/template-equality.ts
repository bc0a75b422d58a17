import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import { isJsonObject } from "../../api/json.ts";
import { canonicalTemplate } from "./template-form.ts";

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
