import { deepEqual } from "../deep-equal.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { parseTime } from "../time.ts";
import { type Member, shapeOf } from "./shape.ts";
import { schemaTable } from "./table.ts";

/**
 * Whether two values of a type of the schema table mean the same to Kubernetes (upstream: Semantic.DeepEqual): null,
 * an empty list and an empty map equal an absent one, and so does the zero of a field that is no pointer; quantities
 * are compared by value, times by instant. `{}` and absent differ for pointers, such as `securityContext`.
 */
export function semanticEqual(type: string, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isJsonObject(left) || !isJsonObject(right))
    return deepEqual(presentForm(type, left), presentForm(type, right));
  const members = membersOf(type);
  const isEqual = (key: string): boolean => equalMember(members?.get(key), own(left, key), own(right, key));
  return (
    Object.keys(left).every(isEqual) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || isEqual(key))
  );
}

/** Whether two objects of a type are semantically equal in one field. */
export function equalField<T extends object>(
  type: string,
  [left, right]: readonly [T, T],
  field: keyof T & string,
): boolean {
  const member = membersOf(type)?.get(field);
  return equalMember(member, left[field], right[field]);
}

/** Compares in lockstep while both sides have the same structure; only what is left is brought into normal form. */
export function equalMember(member: Member | undefined, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const isList = member?.form === "list" && Array.isArray(left) && Array.isArray(right);
  if (isList) return equalLists(member.type, left, right);
  const isStruct = member?.form === "single" && isJsonObject(left) && isJsonObject(right);
  return isStruct
    ? semanticEqual(member.type, left, right)
    : deepEqual(memberForm(member, left), memberForm(member, right));
}

function equalLists(type: string, left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => semanticEqual(type, item, right[index]));
}

/** A value of a type in normal form: values that are semantically equal have the same normal form. */
export function normalForm(type: string, value: unknown): unknown {
  if (type === "Quantity") return quantityForm(value);
  if (type === "Time") return typeof value === "string" ? (parseTime(value) ?? value) : value;
  return isJsonObject(value) ? structForm(type, value) : value;
}

function presentForm(type: string, value: unknown): unknown {
  return normalForm(type, value) ?? undefined;
}

function structForm(type: string, value: JsonObject): unknown {
  const members = membersOf(type);
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, content]) => [name, memberForm(members?.get(name), content)] as const)
      .filter(([, form]) => form !== undefined),
  );
}

/** The normal form of a field's value; `undefined` when it equals an absent one. */
function memberForm(member: Member | undefined, value: unknown): unknown {
  if (member === undefined) return value ?? undefined;
  const { form, type, pointer } = member;
  if (form === "list" && Array.isArray(value)) return listForm(type, value);
  if (form === "map" && isJsonObject(value)) return mapForm(type, value);
  const content = presentForm(type, value);
  return !pointer && isZero(content) ? undefined : content;
}

// Elements of lists and maps are present or absent: a zero element is present.
function listForm(type: string, list: readonly unknown[]): unknown {
  return list.length === 0 ? undefined : list.map((element) => normalForm(type, element));
}

function mapForm(type: string, map: JsonObject): unknown {
  const entries = Object.entries(map).map(([key, value]) => [key, normalForm(type, value) ?? ""]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function quantityForm(value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const nanos = parseQuantity(String(value))?.nanos;
  if (nanos === undefined) return value;
  return nanos === 0n ? 0 : `${nanos}n`;
}

function isZero(value: unknown): boolean {
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

/** The fields of a type; scalars have none, even those that are messages in protobuf. */
export function membersOf(type: string): ReadonlyMap<string, Member> | undefined {
  return schemaTable().types.has(type) ? shapeOf(type)?.byName : undefined;
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
