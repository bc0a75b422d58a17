import type { FeatureGates } from "../../../src/api/feature-gates.ts";
import type { CustomResourceDefinition } from "../../../src/api/generated/apiextensions-v1.ts";
import type { FieldError } from "../../../src/api/field-error.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { kindByName } from "../../../src/api/schema/table.ts";
import { type LocatedYaml, parseLocatedDocuments } from "../../../src/machinery/yaml/located-yaml.ts";
import {
  checkManifest,
  type DecodedManifest,
} from "../../../src/simulation/scenario-files/check-manifest.ts";
import { type CustomManifest, definedResource } from "./custom-objects.ts";

/** A manifest of a text. */
export type WrittenManifest =
  | {
      readonly of: "kubernetes";
      /** As it was written. */
      readonly content: JsonObject;
      /** Decoded; without a namespace of its own it is in `default`. */
      readonly object: DecodedManifest["object"];
    }
  /** Only the API server knows the schema of its kind. */
  | ({
      readonly of: "custom";
      readonly format: LocatedYaml["format"];
    } & CustomManifest);

export interface CheckedText {
  /** What is wrong, as `manifest:line:column: field: …`. */
  readonly problems: readonly string[];
  readonly manifests: readonly WrittenManifest[];
}

interface CheckContext {
  readonly gates: FeatureGates;
  /** The custom kinds of the cluster; the text may define others. */
  readonly definitions: readonly CustomResourceDefinition[];
}

/** Decodes and validates the manifests of a text as the API server does when they are created. */
export function checkManifests(text: string, { gates, definitions }: CheckContext): CheckedText {
  const parsed = parseLocatedDocuments({ file: "manifest", text, kind: "a Kubernetes kind" });
  if (!parsed.ok) return { problems: parsed.problems, manifests: [] };
  const defined = parsed.documents.flatMap(({ content }) => (isDefinition(content) ? [content] : []));
  const all = [...definitions, ...defined];
  const checked = parsed.documents.map((document) => checkDocument(document, { gates, definitions: all }));
  return {
    problems: checked.flatMap(({ problems }) => problems),
    manifests: checked.flatMap(({ manifest }) => manifest ?? []),
  };
}

interface CheckedDocument {
  readonly problems: readonly string[];
  readonly manifest?: WrittenManifest;
}

function checkDocument(
  { content, format }: LocatedYaml,
  { gates, definitions }: CheckContext,
): CheckedDocument {
  const { apiVersion, kind } = content;
  if (typeof apiVersion !== "string" || typeof kind !== "string")
    return { problems: format(missingType.filter(({ field }) => typeof content[field] !== "string")) };
  const resource = kindByName(apiVersion, kind) === undefined && definedResource(definitions, content);
  if (resource !== false && resource !== undefined)
    return { problems: [], manifest: { of: "custom", content, resource, format } };
  const { errors, manifest } = checkManifest(content, "manifest", gates);
  const own = errors.map((error) => ({ ...error, field: error.field.replace(/^manifest\.?/, "") }));
  return {
    problems: format(own),
    ...(manifest !== undefined && { manifest: { of: "kubernetes", content, object: manifest.object } }),
  };
}

const missingType = ["apiVersion", "kind"].map((field): FieldError => ({
  type: "FieldValueRequired",
  field,
  detail: "",
}));

/** Whether a document looks like a definition; what is wrong with it is found like other mistakes. */
function isDefinition(content: JsonObject): content is JsonObject & CustomResourceDefinition {
  const { kind, spec } = content as { readonly kind?: string } & Partial<CustomResourceDefinition>;
  return (
    kind === "CustomResourceDefinition" &&
    typeof spec?.names?.kind === "string" &&
    typeof spec.names.plural === "string" &&
    Array.isArray(spec.versions)
  );
}
