import { isJsonObject } from "./json.ts";

/** What counts as equal beyond equality. */
export interface EqualityOptions {
  /** Null, an empty list and an empty object are as good as a member that is not there, at any depth. */
  readonly emptyIsAbsent?: boolean;
}

/** Whether two JSON values are equal; members may come in any order, and `undefined` is a member that is not there. */
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
  // What is only on the right has to be as good as absent.
  return Object.keys(right).every(
    (key) => Object.hasOwn(left, key) || deepEqual(undefined, right[key], options),
  );
}

function own(object: Members, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Nothing in it, all the way down: `{ a: { b: [] } }` is. */
function isVoid(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isVoid);
}
