import type { FeatureGates } from "../../../src/api/feature-gates.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { parseLocatedDocuments } from "../../../src/machinery/yaml/located-yaml.ts";
import {
  checkManifest,
  type DecodedManifest,
} from "../../../src/simulation/scenario-files/check-manifest.ts";

/** A manifest of a text. */
export interface WrittenManifest {
  /** As it was written. */
  readonly content: JsonObject;
  /** Decoded; without a namespace of its own it is in `default`. */
  readonly object: DecodedManifest["object"];
}

export interface CheckedText {
  /** What is wrong, as `manifest:line:column: field: …`. */
  readonly problems: readonly string[];
  readonly manifests: readonly WrittenManifest[];
}

/** Decodes and validates the manifests of a text as the API server does when they are created. */
export function checkManifests(text: string, gates: FeatureGates): CheckedText {
  const parsed = parseLocatedDocuments({ file: "manifest", text, kind: "a Kubernetes kind" });
  if (!parsed.ok) return { problems: parsed.problems, manifests: [] };
  const checked = parsed.documents.map(({ content, format }) => {
    const { errors, manifest } = checkManifest(content, "manifest", gates);
    const own = errors.map((error) => ({ ...error, field: error.field.replace(/^manifest\.?/, "") }));
    return { content, manifest, problems: format(own) };
  });
  return {
    problems: checked.flatMap(({ problems }) => problems),
    manifests: checked.flatMap(({ content, manifest }) =>
      manifest === undefined ? [] : [{ content, object: manifest.object }],
    ),
  };
}
