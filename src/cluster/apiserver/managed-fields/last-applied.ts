import { utf8Length } from "../../../api/bytes.ts";
import type { JsonObject } from "../../../api/json.ts";
import { isJsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import { lastAppliedAnnotation } from "../../../api/well-known.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { omit } from "../registry/pick-omit.ts";
import { configurationProblems } from "./check-configuration.ts";
import { unchangedFields } from "./apply-configuration.ts";
import { emptySet, type FieldSet } from "./field-set.ts";

/** Limits the total size of annotations. */
const maxAnnotationBytes = 256 * 1024;

/** The manager whose server-side apply takes over the fields of client-side apply. */
export const kubectl = "kubectl";

/**
 * Returns the fields that client-side apply applied last and that are unchanged since: kubectl may take them without a
 * conflict.
 */
export function lastAppliedFields(schema: KindSchema, live: JsonObject): FieldSet {
  const text = metadataOf(live).annotations?.[lastAppliedAnnotation] ?? "";
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return emptySet;
  const isOther = parsed.value["apiVersion"] !== live["apiVersion"];
  if (isOther || configurationProblems(schema.structure, parsed.value).length > 0) return emptySet;
  return unchangedFields(schema.trackedStructure, parsed.value, live);
}

/** Returns the object with the annotation of client-side apply brought up to date, if it has one. */
export function withLastApplied(object: JsonObject, configuration: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const { annotations = {} } = metadata;
  if ((annotations[lastAppliedAnnotation] ?? "") === "") return object;
  const sent = metadataOf(configuration);
  const own = sent.annotations && { annotations: omit(sent.annotations, [lastAppliedAnnotation]) };
  const text = `${JSON.stringify(withMetadata(configuration, { ...sent, ...own }))}\n`;
  const updated = { ...annotations, [lastAppliedAnnotation]: text };
  const size = Object.entries(updated).reduce(
    (bytes, [name, value]) => bytes + utf8Length(name) + utf8Length(value),
    0,
  );
  const kept = size > maxAnnotationBytes ? omit(annotations, [lastAppliedAnnotation]) : updated;
  return withMetadata(object, { ...metadata, annotations: kept });
}
