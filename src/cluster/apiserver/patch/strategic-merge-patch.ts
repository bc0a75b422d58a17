import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { checkStrategicPatch } from "./check-strategic-patch.ts";
import { mergeList } from "./merge-list.ts";
import type { MergeRule } from "./merge-rule.ts";
import { patchFailure, type PatchResult } from "./patch-result.ts";
import { checkPatchSafety, isList } from "./patch-safety.ts";
import {
  deletionsOf,
  hasDirectives,
  isDirective,
  listDirective,
  orderOf,
  patchDirective,
  retainedKeys,
} from "./strategic-directives.ts";

/** Applies a strategic merge patch to an object by the rule of its type. */
export function applyStrategicMergePatch(document: JsonObject, patch: Json, rule: MergeRule): PatchResult {
  const refusal = checkPatchSafety(patch);
  if (refusal !== undefined) return refusal;
  if (!isJsonObject(patch)) return patchFailure(400, "a strategic merge patch must be a JSON object");
  const failure = checkStrategicPatch(patch, rule);
  if (failure !== undefined) return failure;
  const value = mergeValue(document, patch, rule);
  return { ok: true, value: isJsonObject(value) ? value : {} };
}

function mergeFields(before: JsonObject, patch: JsonObject, rule: MergeRule): JsonObject {
  const directed = hasDirectives(patch);
  const base = directed ? retain(before, retainedKeys(patch)) : before;
  const merged: Record<string, Json | undefined> = { ...base };
  let changed = base !== before;
  for (const field of directed ? touchedFields(patch) : Object.keys(patch)) {
    const present = Object.hasOwn(merged, field) ? merged[field] : undefined;
    const merge = { before: present, patch, field };
    const next = directed ? mergeDirected(merge, rule.member(field)) : mergeField(merge, rule.member(field));
    if (next === present) continue;
    changed = true;
    if (next === undefined) delete merged[field];
    else merged[field] = next;
  }
  return changed ? merged : before;
}

function retain(before: JsonObject, retained: ReadonlySet<Json> | undefined): JsonObject {
  if (retained === undefined || Object.keys(before).every((key) => retained.has(key))) return before;
  return Object.fromEntries(Object.entries(before).filter(([key]) => retained.has(key)));
}

/** Returns the fields that a patch sets, and the lists that only its directives name. */
function touchedFields(patch: JsonObject): ReadonlySet<string> {
  const fields = Object.keys(patch).map((key) => (isDirective(key) ? listDirective(key) : key));
  return new Set(fields.filter((field) => field !== undefined));
}

interface FieldMerge {
  readonly before: Json | undefined;
  readonly patch: JsonObject;
  readonly field: string;
}

/** Merges a field of a patch that has no directives. */
function mergeField({ before, patch, field }: FieldMerge, rule: MergeRule): Json | undefined {
  const value = patch[field];
  if (value === null) return undefined;
  return value === undefined ? before : mergeValue(before, value, rule);
}

function mergeDirected({ before, patch, field }: FieldMerge, rule: MergeRule): Json | undefined {
  const value = Object.hasOwn(patch, field) ? patch[field] : undefined;
  if (value === null) return undefined;
  const merged =
    value === undefined || isList(value)
      ? mergeLists({ before, patch: value, order: orderOf(patch, field) }, rule)
      : mergeValue(before, value, rule);
  const deletions = deletionsOf(patch, field);
  if (deletions === undefined || !isList(merged)) return merged;
  const left = merged.filter((element) => !deletions.has(element));
  return left.length === merged.length ? merged : left;
}

/** Merges a value; `undefined` when it deletes a value that does not exist. */
function mergeValue(before: Json | undefined, patch: Json, rule: MergeRule): Json | undefined {
  if (isList(patch)) return mergeLists({ before, patch, order: undefined }, rule);
  if (!isJsonObject(patch)) return patch;
  const directive = patch[patchDirective];
  if (directive === "delete") return isJsonObject(before) ? {} : undefined;
  if (isJsonObject(before) && directive !== "replace" && rule.strategy !== "replace")
    return mergeFields(before, patch, rule);
  return keepIfSame(before, mergeFields({}, patch, rule));
}

interface Lists {
  readonly before: Json | undefined;
  /** Absent when the patch only orders the list. */
  readonly patch: readonly Json[] | undefined;
  readonly order: readonly Json[] | undefined;
}

function mergeLists({ before, patch, order }: Lists, rule: MergeRule): Json | undefined {
  const mergeElement = (met: Json | undefined, element: Json) => mergeValue(met, element, rule);
  if (rule.strategy === "merge" && isList(before) && (patch !== undefined || order !== undefined))
    return mergeList({ before, patch: patch ?? [], order, rule, mergeElement });
  if (patch === undefined) return before;
  const made =
    rule.strategy === "merge"
      ? mergeList({ before: [], patch, order, rule, mergeElement })
      : replace(patch, rule);
  return made.length === 0 && patch.length > 0 ? undefined : keepIfSame(before, made);
}

function replace(patch: readonly Json[], rule: MergeRule): readonly Json[] {
  return patch
    .map((element) => mergeValue(undefined, element, rule))
    .filter((element) => element !== undefined);
}

/** Returns the previous value when the next one equals it, so that unchanged values stay shared. */
function keepIfSame(before: Json | undefined, next: Json): Json {
  return before !== undefined && deepEqual(before, next) ? before : next;
}
