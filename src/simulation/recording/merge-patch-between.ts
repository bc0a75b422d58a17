import { deepEqual } from "../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";

/**
 * What to merge into one object to get the other (RFC 7386); `undefined` when no such patch can say it, because a
 * null in it would be taken for a removal.
 */
export function mergePatchBetween(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const difference: Record<string, Json> = {};
  for (const key of Object.keys(before)) if (after[key] === undefined) difference[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (value === undefined || value === old || deepEqual(old, value)) continue;
    const change = isJsonObject(old) && isJsonObject(value) ? mergePatchBetween(old, value) : plain(value);
    if (change === undefined) return undefined;
    difference[key] = change;
  }
  return difference;
}

/** Returns a new value, or `undefined` if a null in it would be read as a removal; lists are replaced whole. */
function plain(value: Json): Json | undefined {
  if (value === null) return undefined;
  return isJsonObject(value) && holdsNull(value) ? undefined : value;
}

function holdsNull(value: JsonObject): boolean {
  return Object.values(value).some(
    (member) => member === null || (isJsonObject(member) && holdsNull(member)),
  );
}
