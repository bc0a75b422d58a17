import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import { isJsonObject } from "../../api/json.ts";
import { fnv1, safeEncode } from "../../api/safe-hash.ts";
import { isSameTemplate } from "../rollout/pod-template.ts";

/** A strategic merge patch that replaces the template of a workload. */
export interface RevisionData {
  readonly spec: { readonly template: PodTemplateSpec & { readonly $patch: "replace" } };
}

// Objects are immutable, so what is computed of them is computed once.
const dataOfTemplates = new WeakMap<object, RevisionData>();
const texts = new WeakMap<object, string>();

/** What a revision stores of a workload. */
export function revisionDataOf(template: PodTemplateSpec): RevisionData {
  const known = isJsonObject(template) ? dataOfTemplates.get(template) : undefined;
  if (known !== undefined) return known;
  const replaced = { ...withoutEmptyTimestamp(template), $patch: "replace" } as const;
  const data = { spec: { template: replaced } };
  if (isJsonObject(template)) dataOfTemplates.set(template, data);
  return data;
}

function withoutEmptyTimestamp(template: PodTemplateSpec): PodTemplateSpec {
  const metadata: unknown = template?.metadata;
  if (!isJsonObject(metadata) || (metadata.creationTimestamp ?? undefined) !== undefined) return template;
  const { creationTimestamp: _, ...others } = metadata;
  return { ...template, metadata: others };
}

/** The bytes of a revision's data, as kube-controller-manager writes and hashes them. */
export function revisionText(data: unknown): string {
  if (!isJsonObject(data)) return goJson(data);
  const known = texts.get(data) ?? goJson(data);
  texts.set(data, known);
  return known;
}

/** The hash in the name of a StatefulSet's revision; another one after every collision. */
export function hashRevision(data: unknown, collisionCount: number): string {
  return safeEncode(fnv1(new TextEncoder().encode(`${revisionText(data)}${collisionCount}`)));
}

/** Whether two revisions have the same data. */
export function isSameData(
  a: Pick<ControllerRevision, "data">,
  b: Pick<ControllerRevision, "data">,
): boolean {
  return a.data === b.data || revisionText(a.data) === revisionText(b.data);
}

/** The template that a revision stores; `undefined` when its data is not that of a workload. */
export function templateOfRevision({ data }: Pick<ControllerRevision, "data">): PodTemplateSpec | undefined {
  const spec = isJsonObject(data) ? data.spec : undefined;
  const template = isJsonObject(spec) ? spec.template : undefined;
  if (!isJsonObject(template)) return undefined;
  const { $patch: _, ...rest } = template;
  return rest;
}

/** Whether a revision stores a template that describes the same Pods, even if it was written differently. */
export function storesTemplate(
  revision: Pick<ControllerRevision, "data">,
  template: PodTemplateSpec,
): boolean {
  if (isSameData(revision, { data: revisionDataOf(template) })) return true;
  const stored = templateOfRevision(revision);
  return stored !== undefined && isSameTemplate(stored, template);
}

/** JSON as Go writes maps: keys sorted, and characters that mean something in HTML escaped. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (!isJsonObject(value)) return goScalar(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${goScalar(key)}:${goJson(member)}`);
  return `{${members.join(",")}}`;
}

function goScalar(value: unknown): string {
  const text = JSON.stringify(value ?? null) ?? "null";
  return text.replace(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
