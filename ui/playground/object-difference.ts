import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";

/**
 * What makes one value out of another, such as the next version of an object out of the one before: only what differs is
 * sent, and who applies it shares the rest.
 */
export type Difference =
  | { readonly to: Json }
  | {
      /** All members in their order; absent: those of the value before. */
      readonly keys?: readonly string[];
      readonly members: readonly (readonly [key: string, Difference])[];
    }
  | { readonly length: number; readonly elements: readonly (readonly [index: number, Difference])[] };

/** Returns what makes `after` out of `before`; `undefined` where they are equal. */
export function differenceOf(before: Json | undefined, after: Json): Difference | undefined {
  if (before === after) return undefined;
  if (isArray(before) && isArray(after)) return ofArrays(before, after);
  return isJsonObject(before) && isJsonObject(after) ? ofObjects(before, after) : { to: after };
}

function ofArrays(before: readonly Json[], after: readonly Json[]): Difference | undefined {
  const { length } = after;
  let elements: (readonly [number, Difference])[] | undefined;
  for (let index = 0; index < length; index++) {
    const difference = differenceOf(before[index], after[index] ?? null);
    if (difference !== undefined) (elements ??= []).push([index, difference]);
  }
  if (before.length !== length) return { length, elements: elements ?? [] };
  return elements && { length, elements };
}

function ofObjects(before: JsonObject, after: JsonObject): Difference | undefined {
  const keys = presentKeys(after);
  let members: (readonly [string, Difference])[] | undefined;
  for (const key of keys) {
    const difference = differenceOf(ownMember(before, key), after[key] ?? null);
    if (difference !== undefined) (members ??= []).push([key, difference]);
  }
  if (!haveSameOrder(presentKeys(before), keys)) return { keys, members: members ?? [] };
  return members && { members };
}

/** The keys of the members that are there; most objects have no others. */
function presentKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  return keys.some((key) => object[key] === undefined)
    ? keys.filter((key) => object[key] !== undefined)
    : keys;
}

const haveSameOrder = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((key, index) => key === others[index]);

const ownMember = (object: JsonObject, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Returns what a difference makes out of a value; parts that do not differ are those of the value before. */
export function withDifference(before: Json | undefined, difference: Difference | undefined): Json {
  if (difference === undefined) return before ?? null;
  if ("to" in difference) return difference.to;
  if ("length" in difference) {
    const elements = isArray(before) ? before.slice(0, difference.length) : [];
    for (const [index, change] of difference.elements)
      elements[index] = withDifference(elements[index], change);
    return elements;
  }
  return withMembers(isJsonObject(before) ? before : {}, difference);
}

function withMembers(
  before: JsonObject,
  { keys, members }: Extract<Difference, { readonly members: unknown }>,
): JsonObject {
  const changed = members.map(
    ([key, change]) => [key, withDifference(ownMember(before, key), change)] as const,
  );
  if (keys === undefined) return { ...before, ...Object.fromEntries(changed) };
  const next = new Map(changed);
  return Object.fromEntries(keys.map((key) => [key, next.has(key) ? next.get(key) : ownMember(before, key)]));
}

const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
