import type {
  CustomResourceDefinition,
  JSONSchemaProps,
} from "../../../src/api/generated/apiextensions-v1.ts";
import { isJsonObject } from "../../../src/api/json.ts";
import type { ManifestWord } from "../messages.ts";

// What may be written in objects of custom kinds, by the schemas of their definitions.

/** The kinds of definitions, with the versions of their groups. */
export const customKinds = (
  definitions: readonly CustomResourceDefinition[],
): readonly { readonly apiVersion: string; readonly kind: string }[] =>
  definitions.flatMap(({ spec: { group, names, versions } }) =>
    versions
      .filter(({ served }) => served)
      .map(({ name }) => ({ apiVersion: `${group}/${name}`, kind: names.kind })),
  );

/** The schema of a custom kind at a path; elements of lists have no key of their own. */
export function schemaAt(
  definitions: readonly CustomResourceDefinition[],
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  path: readonly string[],
): JSONSchemaProps | undefined {
  const versions = definitions.flatMap(({ spec }) =>
    spec.names.kind === kind ? spec.versions.map((version) => ({ group: spec.group, version })) : [],
  );
  const found = versions.find(({ group, version }) => `${group}/${version.name}` === apiVersion);
  let schema = found?.version.schema?.openAPIV3Schema;
  for (const key of path) schema = memberOf(schema, key);
  return elementOf(schema);
}

function memberOf(schema: JSONSchemaProps | undefined, key: string): JSONSchemaProps | undefined {
  const { properties = {}, additionalProperties } = elementOf(schema) ?? {};
  if (Object.hasOwn(properties, key)) return properties[key];
  return isJsonObject(additionalProperties) ? additionalProperties : undefined;
}

function elementOf(schema: JSONSchemaProps | undefined): JSONSchemaProps | undefined {
  const items = schema?.type === "array" ? schema.items : undefined;
  return items === undefined ? schema : (items as JSONSchemaProps);
}

/** The keys of an object. */
export const keysIn = ({ properties = {}, required = [] }: JSONSchemaProps): readonly ManifestWord[] =>
  Object.entries(properties).map(([word, { type = "", items }]) => {
    const isNested = type === "object" || type === "array" || items !== undefined;
    const detail = `${type}${required.includes(word) ? ", required" : ""}`;
    return { word, insert: isNested ? `${word}:` : `${word}: `, detail };
  });

/** The values of a member that has only some. */
export function valuesIn(schema: JSONSchemaProps): readonly ManifestWord[] {
  const values = schema.type === "boolean" ? [true, false] : (schema.enum ?? []);
  return values.map(String).map((word) => ({ word, insert: word, detail: "" }));
}
