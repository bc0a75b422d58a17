import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { patchFailure, type PatchResult } from "./patch-result.ts";
import { checkPatchSafety } from "./patch-safety.ts";

/** Applies a JSON merge patch (RFC 7386) to an object. */
export function applyMergePatch(document: JsonObject, patch: Json): PatchResult {
  const refusal = checkPatchSafety(patch);
  if (refusal !== undefined) return refusal;
  if (!isJsonObject(patch)) return patchFailure(400, "a merge patch must be a JSON object");
  return { ok: true, value: mergeObject(document, patch) };
}

/** Merges by RFC 7386: objects by key, null removes, anything else replaces. */
export function mergeJson(target: Json | undefined, patch: Json): Json {
  if (isJsonObject(patch)) return mergeObject(isJsonObject(target) ? target : {}, patch);
  return target !== undefined && deepEqual(target, patch) ? target : patch;
}

function mergeObject(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...target };
  let changed = false;
  for (const [key, value] of Object.entries(patch)) {
    const present = Object.hasOwn(target, key);
    if (value === null || value === undefined) {
      delete merged[key];
      changed ||= present;
      continue;
    }
    const next = mergeJson(present ? target[key] : undefined, value);
    changed ||= !present || next !== target[key];
    merged[key] = next;
  }
  return changed ? merged : target;
}
