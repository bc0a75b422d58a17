import { fieldElement } from "../../managed-fields/field-element.ts";
import {
  type DeducedStructure,
  type FieldStructure,
  type ListKey,
  type StructMember,
  structureOf,
} from "../../managed-fields/field-structure.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Returns how ownership divides the objects of a kind that have a structural schema. */
export function fieldStructureOf(schema: StructuralSchema): FieldStructure {
  return structOf({ ...schema, embeddedResource: true }, schema.preserveUnknownFields);
}

type ObjectStructure = DeducedStructure["object"];

/** A value that no schema describes. */
const deduced: DeducedStructure = {
  kind: "deduced",
  get object(): ObjectStructure {
    return { kind: "map", atomic: false, values: deduced };
  },
};

/** upstream: a schema that keeps unknown fields lets those below it have some, too. */
function structureIn(schema: StructuralSchema, keepsUnknown: boolean): FieldStructure {
  const keeps = keepsUnknown || schema.preserveUnknownFields;
  if (schema.intOrString) return deduced;
  switch (schema.type) {
    case "object":
      return objectOf(schema, keeps);
    case "array":
      return listOf(schema, keeps);
    case "string":
      return { kind: "scalar", type: "string" };
    case "integer":
      return { kind: "scalar", type: "int64" };
    case "number":
      return { kind: "scalar", type: "double" };
    case "boolean":
      return { kind: "scalar", type: "bool" };
    case undefined:
      return schema.properties.size === 0 ? deduced : { kind: "deduced", object: objectOf(schema, keeps) };
  }
}

function objectOf(schema: StructuralSchema, keeps: boolean): ObjectStructure {
  const { additionalProperties, properties, mapType, embeddedResource } = schema;
  if (properties.size > 0) return structOf(schema, keeps || additionalProperties === true);
  if (additionalProperties === false || (additionalProperties === undefined && embeddedResource))
    return structOf(schema, keeps);
  const values =
    typeof additionalProperties === "object" ? structureIn(additionalProperties, keeps) : deduced;
  return { kind: "map", atomic: mapType === "atomic", values };
}

function structOf(schema: StructuralSchema, keeps: boolean): ObjectStructure {
  const members = new Map<string, StructMember>(schema.embeddedResource ? commonMembers() : []);
  for (const [name, property] of schema.properties) {
    if (members.has(name)) continue;
    const structure = structureIn(property, keeps);
    members.set(name, { element: fieldElement(name), structure, always: false });
  }
  return {
    kind: "struct",
    atomic: schema.mapType === "atomic",
    members,
    ...(keeps && { others: { structure: deduced, except: new Set<string>() } }),
  };
}

/** Returns the members of every object: apiVersion, kind and metadata. */
function commonMembers(): readonly (readonly [string, StructMember])[] {
  const head = structureOf("meta.v1.PartialObjectMetadata");
  return head.kind === "struct" ? [...head.members] : [];
}

function listOf({ items, listType, listMapKeys }: StructuralSchema, keeps: boolean): FieldStructure {
  const keys = listMapKeys.toSorted().map((name): ListKey => {
    const given = items?.properties.get(name)?.default;
    const isScalar = typeof given === "string" || typeof given === "number" || typeof given === "boolean";
    return { name, quoted: JSON.stringify(name), ...(isScalar && { default: given }) };
  });
  return {
    kind: "list",
    atomic: listType !== "set" && listType !== "map",
    keys: listType === "map" ? keys : [],
    items: items === undefined ? { kind: "any" } : structureIn(items, keeps),
  };
}
