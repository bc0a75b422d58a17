import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import { type DecodedObject, decodeObject } from "../../../api/schema/decode-object.ts";
import type { ServedKind } from "../kind-registry.ts";
import { withObjectMeta } from "../kinds/object-meta/with-object-meta.ts";
import { zeroValue } from "../../../api/schema/zero-value.ts";
import { type FieldStructure, structureOf, withoutUntracked } from "../managed-fields/field-structure.ts";
import type { RenderedType } from "../openapi/type-schema.ts";
import { schemaReference } from "../openapi/schema-names.ts";
import { defaultTable } from "../tables/table-description.ts";
import type { KindSchema } from "./kind-schema.ts";

/** A type with the fields that objects of every kind have, and no others. */
const headType = "meta.v1.PartialObjectMetadata";

/**
 * The schema of a kind whose objects may have any fields besides those of all objects. Each of these is owned as a whole
 * and replaced by merge patches; there are no strategic merge patches.
 */
function schemaless(resource: Pick<Resource, "group" | "version" | "kind">): KindSchema {
  const type = typeNameOf(resource);
  const structure = anyFields();
  return {
    type,
    decode,
    isSame: deepEqual,
    isSameIn: (field, left, right) => deepEqual(left[field], right[field]),
    zero: zeroValue(headType),
    initialStatus: undefined,
    extensionFields: [],
    structure,
    trackedStructure: withoutUntracked(structure),
    definitions: definitionsOf(type, resource),
  };
}

/** `com.example.v1.Foo` for the kind Foo of `example.com/v1`. */
function typeNameOf({ group, version, kind }: Pick<Resource, "group" | "version" | "kind">): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

/** Decodes the fields of all objects by their type; the others stay as they are. */
function decode(value: Json, known?: JsonObject): DecodedObject {
  const { apiVersion, kind, metadata, ...others } = isJsonObject(value) ? value : {};
  const sent = isJsonObject(value) ? { apiVersion, kind, metadata } : value;
  const head = decodeObject(headType, sent, known && headOf(known));
  return head.ok ? { ...head, object: { ...head.object, ...others } } : head;
}

function headOf({ apiVersion, kind, metadata }: JsonObject): JsonObject {
  return { apiVersion, kind, metadata };
}

function anyFields(): FieldStructure {
  const head = structureOf(headType);
  if (head.kind !== "struct") return head;
  return { ...head, others: { structure: { kind: "any" }, except: new Set() } };
}

function definitionsOf(
  type: string,
  resource: Pick<Resource, "group" | "version" | "kind">,
): ReadonlyMap<string, RenderedType> {
  const { group, version, kind } = resource;
  const common = (metadata: string) => ({
    apiVersion: { type: "string", description: `Always ${apiVersionOf(resource)}.` },
    kind: { type: "string" },
    metadata: schemaReference(metadata),
  });
  const object: JsonObject = {
    type: "object",
    properties: common("meta.v1.ObjectMeta"),
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-group-version-kind": [{ group, version, kind }],
  };
  const list: JsonObject = {
    type: "object",
    required: ["items"],
    properties: { ...common("meta.v1.ListMeta"), items: { type: "array", items: schemaReference(type) } },
    "x-kubernetes-group-version-kind": [{ group, version, kind: `${kind}List` }],
  };
  return new Map([
    [type, { schema: object, references: new Set(["meta.v1.ObjectMeta"]) }],
    [`${type}List`, { schema: list, references: new Set([type, "meta.v1.ListMeta"]) }],
  ]);
}

/** A namespaced kind without a schema and without subresources, as one that is registered while a server runs. */
export function schemalessKind(
  { group, kind, plural }: Pick<Resource, "group" | "kind" | "plural">,
  versions: readonly string[] = ["v1"],
): ServedKind {
  const facts = { group, kind, plural, namespaced: true, singular: kind.toLowerCase() };
  return {
    group,
    kind,
    versions: versions.map((version) => ({
      ...facts,
      version,
      shortNames: [],
      categories: ["all"],
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      subresources: [],
      schema: schemaless({ group, version, kind }),
      strategy: withObjectMeta({ unconditionalUpdate: false }),
      table: defaultTable,
      collection: `${plural}.${group}`,
    })),
  };
}
