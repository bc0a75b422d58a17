import type { Json, JsonObject } from "../../../api/json.ts";
import { type FieldFacts, type ScalarFacts, schemaTable, type TypeFacts } from "../../../api/schema/table.ts";
import { describeField, describeType } from "./descriptions.ts";
import { groupVersionKindsOf } from "./group-version-kinds.ts";
import { referredType, scalarSchema, valueSchema, zeroDefault } from "./value-schema.ts";

/** Fields that are left out while their gate is off, as `type.field`. */
export type HiddenFields = ReadonlySet<string>;

/** A schema and the types it refers to. */
export interface RenderedType {
  readonly schema: JsonObject;
  readonly references: ReadonlySet<string>;
}

interface Member {
  readonly owner: string;
  readonly name: string;
  readonly facts: FieldFacts;
}

// Caches whole types: most are in several documents and have no field that could be hidden.
const whole = new Map<string, RenderedType>();

/** Renders the OpenAPI schema of a type or named scalar of the schema table. */
export function renderType(typeName: string, hidden: HiddenFields): RenderedType {
  const { types, scalars } = schemaTable();
  const type = types.get(typeName);
  const scalar = scalars.get(typeName);
  if (type !== undefined && Object.keys(type.fields).some((field) => hidden.has(`${typeName}.${field}`)))
    return renderObject(typeName, type, hidden);
  const known = whole.get(typeName);
  if (known !== undefined) return known;
  const rendered =
    type === undefined ? renderScalar(typeName, scalar) : renderObject(typeName, type, new Set());
  whole.set(typeName, rendered);
  return rendered;
}

function renderScalar(typeName: string, scalar: ScalarFacts | undefined): RenderedType {
  const description = describeType(typeName);
  const schema = scalar === undefined ? { type: "object" } : scalarSchema(scalar);
  return { schema: { ...(description !== undefined && { description }), ...schema }, references: new Set() };
}

function renderObject(typeName: string, type: TypeFacts, hidden: HiddenFields): RenderedType {
  const members = membersOf(typeName, type).filter(({ owner, name }) => !hidden.has(`${owner}.${name}`));
  const properties = Object.fromEntries(members.map((member) => [member.name, fieldSchema(member)]));
  const required = members.filter(({ facts }) => facts.required === true).map(({ name }) => name);
  const references = members.map(({ facts }) => referredType(valueTypeOf(facts)));
  const kinds = groupVersionKindsOf(typeName);
  const description = describeType(typeName);
  const schema: JsonObject = {
    ...(description !== undefined && { description }),
    type: "object",
    ...(required.length > 0 && { required }),
    ...(members.length > 0 && { properties }),
    ...(kinds.length > 0 && { "x-kubernetes-group-version-kind": kinds }),
    ...(type.mapType !== undefined && { "x-kubernetes-map-type": type.mapType }),
    ...(type.union !== undefined && { "x-kubernetes-unions": [unionSchema(type.union)] }),
  };
  return { schema, references: new Set(references.filter((name) => name !== undefined)) };
}

/** Returns the members of a type in the order they are written, those of inlined types in place. */
function membersOf(owner: string, type: TypeFacts): readonly Member[] {
  return Object.entries(type.fields).flatMap(([name, facts]) => {
    const inlined = facts.inline === true ? schemaTable().types.get(facts.type ?? "") : undefined;
    return inlined === undefined ? [{ owner, name, facts }] : membersOf(facts.type ?? "", inlined);
  });
}

function fieldSchema({ owner, name, facts }: Member): JsonObject {
  const description = describeField(owner, name);
  return {
    ...(description !== undefined && { description }),
    ...shapeSchema(facts),
    ...(facts.default !== undefined && { default: facts.default }),
    ...extensions(facts),
  };
}

function shapeSchema(facts: FieldFacts): JsonObject {
  const type = valueTypeOf(facts);
  const value = { ...valueSchema(type), ...(facts.enum !== undefined && { enum: facts.enum }) };
  const element = { ...value, ...zeroDefault(type) };
  if (facts.list !== undefined) return { type: "array", items: element };
  if (facts.map !== undefined) return { type: "object", additionalProperties: element };
  return facts.always === true && facts.pointer !== true ? element : value;
}

function extensions(facts: FieldFacts): JsonObject {
  const { listType, keys, mapType, patch, mergeKey } = facts;
  return {
    ...(keys !== undefined && { "x-kubernetes-list-map-keys": keys }),
    ...(listType !== undefined && { "x-kubernetes-list-type": listType }),
    ...(mapType !== undefined && { "x-kubernetes-map-type": mapType }),
    ...(mergeKey !== undefined && { "x-kubernetes-patch-merge-key": mergeKey }),
    ...(patch !== undefined && { "x-kubernetes-patch-strategy": patch }),
  };
}

function unionSchema({ discriminator, fields }: NonNullable<TypeFacts["union"]>): Json {
  return {
    ...(discriminator !== undefined && { discriminator }),
    "fields-to-discriminateBy": fields,
  };
}

function valueTypeOf({ type, list, map }: FieldFacts): string {
  return type ?? list ?? map ?? "";
}
