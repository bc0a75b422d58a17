import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { type Member, shapeOf } from "../../api/schema/shape.ts";
import { schemaTable } from "../../api/schema/table.ts";
import { keepAllowedAnnotations, templateVariantAnnotation } from "./allowed-annotations.ts";
import { allowedFields } from "./allowed-fields.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import { hashTemplate, isSameTemplate } from "../../decisions/rollout/pod-template.ts";

/** Types whose values may be anything; none of them is allowed. */
const freeForm: ReadonlySet<string> = new Set(["RawExtension", "FieldsV1", "JSON", "bytes"]);

/**
 * The allowed fields of an object of a type in the schema table, in the order of the schema. A value that is not what
 * the schema says is left out.
 */
export function keepAllowed(type: string, object: JsonObject): JsonObject {
  const allowed = allowedFields[type] ?? [];
  const kept: [string, Json][] = [];
  for (const member of shapeOf(type)?.members ?? []) {
    if (!allowed.includes(member.name)) continue;
    const value = keepMember(member, object[member.name]);
    if (value !== undefined && !isEmptyVolumes(member, value)) kept.push([member.name, value]);
  }
  return Object.fromEntries(kept);
}

function keepMember({ name, form, type }: Member, value: Json | undefined): Json | undefined {
  switch (form) {
    case "single":
      return keepValue(type, value);
    case "list":
      return Array.isArray(value)
        ? (value as readonly Json[])
            .map((item) => keepValue(type, item))
            .filter((item) => item !== undefined)
            .filter((item) => type !== volumeType || isClaim(item))
        : undefined;
    case "map":
      return isJsonObject(value) ? keepMap(name, type, value) : undefined;
  }
}

const volumeType = "core.v1.Volume";

/** Of the volumes of a Pod only claims are kept: a volume without a source would not be valid. */
function isClaim(volume: Json): boolean {
  return isJsonObject(volume) && volume["persistentVolumeClaim"] !== undefined;
}

function isEmptyVolumes({ type }: Member, value: Json): boolean {
  return type === volumeType && Array.isArray(value) && value.length === 0;
}

function keepMap(name: string, type: string, value: JsonObject): JsonObject {
  if (name === "annotations") return keepAllowedAnnotations(value, keepPicker);
  const kept = Object.entries(value).map(([key, item]) => [key, keepValue(type, item)] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const keepPicker = (picker: JsonObject) => keepAllowed("apps.v1.DownscalePodPicker", picker);

function keepValue(type: string, value: Json | undefined): Json | undefined {
  if (schemaTable().types.has(type)) return isJsonObject(value) ? keepAllowed(type, value) : undefined;
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar && !freeForm.has(type) ? value : undefined;
}

/** An object with a Pod template, such as a Deployment. */
interface Templated {
  readonly spec: { readonly template?: PodTemplateSpec };
}

/** The templates of one hash that differ in the cluster but not in the snapshot, in the order they were seen. */
type Variants = Map<string, PodTemplateSpec[]>;

/**
 * Revisions of a Deployment often differ only in fields that a snapshot does not have, such as environment variables. A
 * Deployment finds its ReplicaSet by comparing templates, so those would become one: an annotation numbers them. The
 * number says that templates differ, and nothing about how.
 */
export function withTemplateVariants(kept: ClusterObjects, original: ClusterObjects): ClusterObjects {
  const variants: Variants = new Map();
  const numbersOf = (objects: readonly Templated[], originals: readonly Templated[]) =>
    objects.map(({ spec }, index) => numberOf(spec.template, originals[index]?.spec.template, variants));
  // All are numbered before any is written: the first of a kind gets an annotation only if there is a second.
  const deploymentNumbers = numbersOf(kept.deployments, original.deployments);
  const replicaSetNumbers = numbersOf(kept.replicaSets, original.replicaSets);
  const isOnly = (template: PodTemplateSpec) => (variants.get(hashTemplate(template)) ?? []).length < 2;
  const annotate = <T extends Templated>(objects: readonly T[], numbers: readonly number[]) =>
    objects.map((object, index) => {
      const { template } = object.spec;
      if (template === undefined || isOnly(template)) return object;
      return { ...object, spec: { ...object.spec, template: withNumber(template, numbers[index] ?? 0) } };
    });
  return {
    ...kept,
    deployments: annotate(kept.deployments, deploymentNumbers),
    replicaSets: annotate(kept.replicaSets, replicaSetNumbers),
  };
}

function numberOf(
  template: PodTemplateSpec | undefined,
  original: PodTemplateSpec | undefined,
  variants: Variants,
): number {
  if (template === undefined || original === undefined) return 0;
  const hash = hashTemplate(template);
  const known = variants.get(hash) ?? [];
  variants.set(hash, known);
  const index = known.findIndex((other) => isSameTemplate(other, original));
  return index >= 0 ? index : known.push(original) - 1;
}

function withNumber(template: PodTemplateSpec, number: number): PodTemplateSpec {
  const { metadata } = template;
  const annotations = { ...metadata?.annotations, [templateVariantAnnotation]: String(number + 1) };
  return { ...template, metadata: { ...metadata, annotations } };
}
