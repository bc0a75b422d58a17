import { isJsonObject, type Json } from "../../../api/json.ts";
import { type Form, type Member, shapeOf } from "../../../api/schema/shape.ts";
import { fieldElement } from "./field-element.ts";
import { schemaTable } from "../../../api/schema/table.ts";

/** Describes how ownership divides the values of a type (upstream: schema.Atom). */
export type FieldStructure =
  /** A value without parts. */
  | { readonly kind: "scalar"; readonly type: string }
  /** A value of any form, owned as a whole. */
  | { readonly kind: "any" }
  | DeducedStructure
  | {
      readonly kind: "struct";
      /** Owned as a whole. */
      readonly atomic: boolean;
      readonly members: ReadonlyMap<string, StructMember>;
      /** The structure of members that are not listed, with exceptions; absent if there are none. */
      readonly others?: { readonly structure: FieldStructure; readonly except: ReadonlySet<string> };
    }
  | { readonly kind: "map"; readonly atomic: boolean; readonly values: FieldStructure }
  | ListStructure;

/** A value of any form: what is in an object is owned by itself, all others as a whole (upstream: untyped deduced). */
export interface DeducedStructure {
  readonly kind: "deduced";
  readonly object: Extract<FieldStructure, { kind: "struct" | "map" }>;
}

export interface ListStructure {
  readonly kind: "list";
  readonly atomic: boolean;
  /** The fields that identify an item, by name; none for a set of scalars. */
  readonly keys: readonly ListKey[];
  readonly items: FieldStructure;
}

/** A key of a list, and its default where an item leaves it out. */
export interface ListKey {
  readonly name: string;
  /** The name as JSON. */
  readonly quoted: string;
  readonly default?: string | number | boolean | undefined;
}

export interface StructMember {
  /** Its path element. */
  readonly element: string;
  readonly structure: FieldStructure;
  /** Whether Kubernetes writes the empty value too, so that the field always exists. */
  readonly always: boolean;
}

/** Returns the member of a struct by its name; `undefined` if there is none. */
export function memberIn(
  { members, others }: Extract<FieldStructure, { kind: "struct" }>,
  name: string,
): StructMember | undefined {
  const member = members.get(name);
  if (member !== undefined || others === undefined || others.except.has(name)) return member;
  return { element: fieldElement(name), structure: others.structure, always: false };
}

/** Structures whose form does not depend on the value. */
export type KnownStructure = Exclude<FieldStructure, DeducedStructure>;

/** Returns the structure of a value: where it depends on the value, the one that this value has. */
export function structureFor(structure: FieldStructure, value: Json | undefined): KnownStructure {
  if (structure.kind !== "deduced") return structure;
  return isJsonObject(value) ? structure.object : wholeValue;
}

const wholeValue = { kind: "any" } as const;

/** Reports whether a value is owned as a whole. */
export function isOwnedWhole(structure: KnownStructure): boolean {
  return structure.kind === "scalar" || structure.kind === "any" || structure.atomic;
}

const known = new Map<string, FieldStructure>();

/** Returns the structure of a type in the schema table, which is built once. */
export function structureOf(type: string): FieldStructure {
  const made = known.get(type);
  if (made !== undefined) return made;
  const facts = schemaTable().types.get(type);
  if (facts === undefined) return newScalar(type);
  const members = new Map<string, StructMember>();
  const structure: FieldStructure = { kind: "struct", atomic: facts.mapType === "atomic", members };
  // Registered before its members are built: types such as JSONSchemaProps contain themselves.
  known.set(type, structure);
  for (const member of shapeOf(type)?.members ?? []) members.set(member.name, memberOf(member));
  return structure;
}

const freeForm = new Set([
  "RawExtension",
  "FieldsV1",
  "JSON",
  "SchemaOrArray",
  "SchemaOrBool",
  "SchemaOrStringArray",
]);

function newScalar(type: string): FieldStructure {
  if (type === "StringList")
    return { kind: "list", atomic: true, keys: [], items: { kind: "scalar", type: "string" } };
  return freeForm.has(type) ? { kind: "any" } : { kind: "scalar", type };
}

function memberOf(member: Member): StructMember {
  const { form, always, facts } = member;
  const element = fieldElement(member.name);
  return { element, structure: formOf(form, member), always: always || facts.always === true };
}

function formOf(form: Form, member: Member): FieldStructure {
  const { facts } = member;
  const value = structureOf(member.type);
  switch (form) {
    case "single":
      return facts.mapType !== undefined && value.kind === "struct"
        ? { ...value, atomic: facts.mapType === "atomic" }
        : value;
    case "map":
      return { kind: "map", atomic: facts.mapType === "atomic", values: value };
    case "list":
      return listOf(member, value);
  }
}

/** upstream: a list without a list type follows its patch strategy, and is atomic without one. */
function listOf({ type, facts }: Member, items: FieldStructure): ListStructure {
  const { listType, keys = [], patch, mergeKey } = facts;
  const merges = listType === undefined && patch?.split(",").includes("merge") === true;
  const names = merges && mergeKey !== undefined ? [mergeKey] : keys;
  return {
    kind: "list",
    atomic: listType === "atomic" || (listType === undefined && !merges),
    keys: names.toSorted().map((name) => ({
      name,
      quoted: JSON.stringify(name),
      default: shapeOf(type)?.byName.get(name)?.facts.default,
    })),
    items,
  };
}

const untrackedMembers = new Set(["apiVersion", "kind"]);
/** upstream: stripSet. */
const untrackedMetadata = new Set([
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "generation",
  "managedFields",
  "resourceVersion",
]);

/** Returns the structure of a kind's objects without the fields whose ownership is not tracked. */
export function withoutUntracked(structure: FieldStructure): FieldStructure {
  if (structure.kind !== "struct") return structure;
  const members = new Map([...structure.members].filter(([name]) => !untrackedMembers.has(name)));
  const metadata = members.get("metadata");
  if (metadata?.structure.kind === "struct") {
    const kept = [...metadata.structure.members].filter(([name]) => !untrackedMetadata.has(name));
    members.set("metadata", { ...metadata, structure: { ...metadata.structure, members: new Map(kept) } });
  }
  const { others } = structure;
  return { ...structure, members, ...(others && { others: { ...others, except: untrackedMembers } }) };
}
