import { formatFieldError } from "../../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { validateLabels } from "../../../../api/labels/label-syntax.ts";
import { validateAnnotations } from "../../kinds/object-meta/validate-object-meta.ts";

/** An object that was to be converted. */
export interface ConvertedFrom {
  readonly object: JsonObject;
  /** The `apiVersion` that it is wanted in. */
  readonly desired: string;
}

/** The object with the metadata that a conversion must not change, or what is wrong with it. */
export type CheckedConversion =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly why: string };

/**
 * Checks a converted object: it has to be the same object in the wanted version. Of its metadata only labels and
 * annotations may differ; everything else stays as it was.
 */
export function checkConverted(
  { object: original, desired }: ConvertedFrom,
  converted: Json,
): CheckedConversion {
  const problem = (why: string): CheckedConversion => ({ ok: false, why });
  if (!isJsonObject(converted)) return problem("invalid object at index 0: it is not an object");
  const typeProblem = wrongType({ object: original, desired }, converted);
  if (typeProblem !== undefined) return problem(`invalid object at index 0: ${typeProblem}`);
  const { metadata } = converted;
  const before = isJsonObject(original["metadata"]) ? original["metadata"] : {};
  const other = identityProblem(before, isJsonObject(metadata) ? metadata : {});
  if (other !== undefined) return problem(`invalid object: ${other}`);
  if (metadata === undefined) return problem("invalid metadata: missing metadata in converted object");
  if (!isJsonObject(metadata))
    return problem(`invalid metadata: invalid metadata of type ${typeText(metadata)} in converted object`);
  const kept = withMaps(before, metadata);
  return typeof kept === "string"
    ? problem(`invalid metadata: ${kept}`)
    : { ok: true, object: { ...converted, metadata: kept } };
}

function wrongType({ object, desired }: ConvertedFrom, converted: JsonObject): string | undefined {
  const { apiVersion, kind } = converted;
  if (apiVersion !== desired)
    return `invalid groupVersion (expected ${desired}, received ${textOf(apiVersion)})`;
  if (kind === object["kind"]) return undefined;
  return `invalid kind (expected ${textOf(object["kind"])}, received ${textOf(kind)})`;
}

const identity = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function identityProblem(before: JsonObject, after: JsonObject): string | undefined {
  const different = identity.find(([field]) => textOf(before[field]) !== textOf(after[field]));
  if (different === undefined) return undefined;
  const [field, shown] = different;
  return `must have the same ${shown}: ${textOf(before[field])} != ${textOf(after[field])}`;
}

/** Returns the metadata with the labels and annotations of the answer, or what is wrong with these. */
function withMaps(before: JsonObject, after: JsonObject): JsonObject | string {
  const { labels: _labels, annotations: _annotations, ...kept } = before;
  const labels = mapOf("labels", before, after);
  if (typeof labels === "string") return labels;
  const annotations = mapOf("annotations", before, after);
  if (typeof annotations === "string") return annotations;
  return { ...kept, ...labels, ...annotations };
}

type MapField = "labels" | "annotations";
type TextMap = Readonly<Record<string, string>>;

/** Returns a map of the answer as a member, nothing without one, or what is wrong with it. */
function mapOf(field: MapField, before: JsonObject, after: JsonObject): JsonObject | string {
  const value = after[field] ?? null;
  if (value === null) return {};
  if (!isJsonObject(value)) return `invalid metadata.${field} of type ${typeText(value)} in converted object`;
  const other = Object.entries(value).find(([, text]) => typeof text !== "string");
  if (other !== undefined) {
    const [key, text = null] = other;
    return `metadata.${field}[${key}] must be a string, but is ${typeText(text)} in converted object`;
  }
  const errors = isSame(value, before[field]) ? [] : errorsIn[field](value as TextMap);
  if (errors.length > 0) return errors.map(formatFieldError).join(", ");
  return { [field]: value };
}

const errorsIn = {
  labels: (labels: TextMap) => validateLabels(labels, "metadata.labels"),
  // upstream names the field so
  annotations: (annotations: TextMap) => validateAnnotations(annotations, "metadata.annotation"),
};

function isSame(value: JsonObject, before: Json | undefined): boolean {
  const known = isJsonObject(before) ? before : {};
  const names = Object.keys(value);
  return names.length === Object.keys(known).length && names.every((name) => value[name] === known[name]);
}

const textOf = (value: Json | undefined) => (typeof value === "string" ? value : "");

/** Names the type of a value as Go does. */
function typeText(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : "string";
}
