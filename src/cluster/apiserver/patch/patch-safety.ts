import type { Json, JsonObject } from "../../../api/json.ts";
import { deepestNesting } from "../../../api/parse-json.ts";
import { type PatchFailure, patchFailure } from "./patch-result.ts";

// Keys with a meaning in JavaScript, which no field of the API has.
const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Refuses a patch that nests too deep or has keys that could change prototypes. */
export function checkPatchSafety(patch: Json | undefined, depth = 0): PatchFailure | undefined {
  if (typeof patch !== "object" || patch === null) return undefined;
  if (depth >= deepestNesting)
    return patchFailure(400, `the patch is nested deeper than ${deepestNesting} levels`);
  const key = isList(patch) ? undefined : Object.keys(patch).find((each) => prototypeKeys.has(each));
  if (key !== undefined) return checkPatchKey(key);
  for (const member of membersOf(patch)) {
    const refusal = checkPatchSafety(member, depth + 1);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Refuses a key that could change prototypes. */
export function checkPatchKey(key: string): PatchFailure | undefined {
  return prototypeKeys.has(key)
    ? patchFailure(400, `the patch uses the key ${JSON.stringify(key)}, which is not allowed`)
    : undefined;
}

/** Reports whether a value exceeds the depth limit. */
export function isTooDeep(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth >= deepestNesting || membersOf(value).some((member) => isTooDeep(member, depth + 1));
}

function membersOf(value: readonly Json[] | JsonObject): readonly (Json | undefined)[] {
  return isList(value) ? value : Object.values(value);
}

/** Reports whether a value is a JSON array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
