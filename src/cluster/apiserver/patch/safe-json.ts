import { isJsonObject, type Json } from "../../../api/json.ts";
import { type PatchFailure, refuse } from "./patch-result.ts";

/** The deepest nesting a document or patch may have; nothing in the API comes near it. */
export const maxDepth = 200;

// Keys that mean something to JavaScript itself. No field of the API has such a name.
const hostileKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Refuses what nobody sends by accident: nesting without end and keys that reach for prototypes. */
export function refuseHostile(patch: Json): PatchFailure | undefined {
  if (isTooDeep(patch)) return refuse(400, `the patch is nested deeper than ${maxDepth} levels`);
  const key = findHostileKey(patch);
  return key === undefined ? undefined : refuseKey(key);
}

/** The refusal of one key, wherever a patch names it. */
export function refuseKey(key: string): PatchFailure | undefined {
  return hostileKeys.has(key)
    ? refuse(400, `the patch uses the key ${JSON.stringify(key)}, which is not allowed`)
    : undefined;
}

/** Whether a value is nested too deep to be walked by recursion; does not recurse itself. */
export function isTooDeep(value: Json): boolean {
  let level = membersOf(value);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap(membersOf);
  }
  return false;
}

/** Whether a value is a JSON array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function findHostileKey(value: Json): string | undefined {
  if (isJsonObject(value)) {
    const key = Object.keys(value).find((each) => hostileKeys.has(each));
    if (key !== undefined) return key;
  }
  for (const member of membersOf(value)) {
    const key = findHostileKey(member);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The members that can hold members of their own. */
function membersOf(value: Json): readonly Json[] {
  if (isList(value)) return value.filter(isContainer);
  return isJsonObject(value) ? Object.values(value).filter(isContainer) : [];
}

function isContainer(value: Json | undefined): value is Json {
  return typeof value === "object" && value !== null;
}
