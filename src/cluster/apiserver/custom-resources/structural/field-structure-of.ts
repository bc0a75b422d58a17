import { fieldElement } from "../../managed-fields/field-element.ts";
import {
  type FieldStructure,
  type ListKey,
  type StructMember,
  structureOf,
} from "../../managed-fields/field-structure.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Returns how ownership divides the objects of a kind that have a structural schema. */
export function fieldStructureOf(schema: StructuralSchema): FieldStructure {
  return structOf({ ...schema, embeddedResource: true });
}

function structureIn(schema: StructuralSchema): FieldStructure {
  if (schema.intOrString) return { kind: "scalar", type: "IntOrString" };
  switch (schema.type) {
    case "object":
      return objectOf(schema);
    case "array":
      return listOf(schema);
    case "string":
      return { kind: "scalar", type: "string" };
    case "integer":
      return { kind: "scalar", type: "int64" };
    case "number":
      return { kind: "scalar", type: "double" };
    case "boolean":
      return { kind: "scalar", type: "bool" };
    case undefined:
      return { kind: "any" };
  }
}

function objectOf(schema: StructuralSchema): FieldStructure {
  const { additionalProperties, properties, mapType } = schema;
  if (properties.size > 0 || additionalProperties === undefined || additionalProperties === false)
    return structOf(schema);
  const values =
    additionalProperties === true ? ({ kind: "any" } as const) : structureIn(additionalProperties);
  return { kind: "map", atomic: mapType === "atomic", values };
}

function structOf(schema: StructuralSchema): FieldStructure {
  const members = new Map<string, StructMember>(schema.embeddedResource ? commonMembers() : []);
  for (const [name, property] of schema.properties) {
    if (members.has(name)) continue;
    members.set(name, { element: fieldElement(name), structure: structureIn(property), always: false });
  }
  const others = { structure: { kind: "any" }, except: new Set<string>() } as const;
  return {
    kind: "struct",
    atomic: schema.mapType === "atomic",
    members,
    ...(schema.preserveUnknownFields && { others }),
  };
}

/** Returns the members of every object: apiVersion, kind and metadata. */
function commonMembers(): readonly (readonly [string, StructMember])[] {
  const head = structureOf("meta.v1.PartialObjectMetadata");
  return head.kind === "struct" ? [...head.members] : [];
}

function listOf({ items, listType, listMapKeys }: StructuralSchema): FieldStructure {
  const keys = listMapKeys.toSorted().map((name): ListKey => {
    const given = items?.properties.get(name)?.default;
    const isScalar = typeof given === "string" || typeof given === "number" || typeof given === "boolean";
    return { name, quoted: JSON.stringify(name), ...(isScalar && { default: given }) };
  });
  return {
    kind: "list",
    atomic: listType !== "set" && listType !== "map",
    keys: listType === "map" ? keys : [],
    items: items === undefined ? { kind: "any" } : structureIn(items),
  };
}
