import { isJsonObject } from "./json.ts";

/** What counts as equal besides equal values. */
export interface EqualityOptions {
  /** Null, an empty list and an empty object equal an absent member, at any depth. */
  readonly emptyIsAbsent?: boolean;
}

/** Whether two JSON values are equal; the order of members does not matter, and `undefined` equals an absent member. */
export function deepEqual(left: unknown, right: unknown, options: EqualityOptions = {}): boolean {
  if (left === right) return true;
  if (options.emptyIsAbsent === true && isVoid(left) && isVoid(right)) return true;
  if (Array.isArray(left) && Array.isArray(right)) return equalLists(left, right, options);
  return isJsonObject(left) && isJsonObject(right) && equalMembers(left, right, options);
}

function equalLists(left: readonly unknown[], right: readonly unknown[], options: EqualityOptions): boolean {
  return left.length === right.length && left.every((item, index) => deepEqual(item, right[index], options));
}

type Members = Readonly<Record<string, unknown>>;

function equalMembers(left: Members, right: Members, options: EqualityOptions): boolean {
  for (const key of Object.keys(left)) {
    if (!deepEqual(left[key], own(right, key), options)) return false;
  }
  // Members that only the right value has must equal absent ones.
  return Object.keys(right).every(
    (key) => Object.hasOwn(left, key) || deepEqual(undefined, right[key], options),
  );
}

function own(object: Members, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether a value is empty at all depths, as `{ a: { b: [] } }` is. */
function isVoid(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isVoid);
}
