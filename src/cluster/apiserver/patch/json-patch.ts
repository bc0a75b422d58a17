import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { deepestNesting } from "../../../api/parse-json.ts";
import { JsonDraft } from "./json-draft.ts";
import { type JsonPatchOperation, parseOperations } from "./json-patch-operation.ts";
import { formatPointer, isInside, type Pointer } from "./json-pointer.ts";
import { type PatchFailure, patchFailure, type PatchResult } from "./patch-result.ts";
import { checkPatchSafety, isList, isTooDeep } from "./patch-safety.ts";

/** Limits the bytes that all `copy` operations of one patch may add: the size limit of a request body. */
const copyBudgetBytes = 3 * 1024 * 1024;

interface PatchState {
  readonly draft: JsonDraft;
  copyBudget: number;
}

/** Applies a JSON patch (RFC 6902) to an object: all of its operations, or none. */
export function applyJsonPatch(document: JsonObject, patch: Json): PatchResult {
  const parsed = checkPatchSafety(patch) ?? parseOperations(patch);
  if (!parsed.ok) return parsed;
  const state: PatchState = { draft: new JsonDraft(document), copyBudget: copyBudgetBytes };
  for (const [index, operation] of parsed.operations.entries()) {
    const failure = perform(operation, state);
    if (failure !== undefined)
      return { ...failure, message: `operation ${index} (${operation.op}): ${failure.message}` };
  }
  const { value } = state.draft;
  if (!isJsonObject(value)) return patchFailure(422, "the patched document is not an object");
  if (isTooDeep(value))
    return patchFailure(422, `the patched document is nested deeper than ${deepestNesting} levels`);
  return { ok: true, value };
}

function perform(operation: JsonPatchOperation, state: PatchState): PatchFailure | undefined {
  const { draft } = state;
  switch (operation.op) {
    case "add":
      return draft.add(operation.path, operation.value);
    case "replace":
      return draft.replace(operation.path, operation.value);
    case "remove": {
      const removed = draft.remove(operation.path);
      return removed.ok ? undefined : removed;
    }
    case "test":
      return test(draft, operation.path, operation.value);
    case "move":
      return move(draft, operation.from, operation.path);
    case "copy":
      return copy(state, operation.from, operation.path);
  }
}

function test(draft: JsonDraft, path: Pointer, value: Json): PatchFailure | undefined {
  const found = draft.read(path);
  // Null and absent are equal in this API, so a test for null tests for absence.
  if (deepEqual(found.ok ? found.value : null, value)) return undefined;
  return patchFailure(422, `the value at ${JSON.stringify(formatPointer(path))} is not the expected one`);
}

function move(draft: JsonDraft, from: Pointer, path: Pointer): PatchFailure | undefined {
  if (isInside(path, from)) return patchFailure(422, "a value cannot be moved into itself");
  const taken = draft.remove(from);
  return taken.ok ? draft.add(path, taken.value) : taken;
}

function copy(state: PatchState, from: Pointer, path: Pointer): PatchFailure | undefined {
  const source = state.draft.read(from);
  if (!source.ok) return source;
  const copied = copyWithin(source.value, state.copyBudget);
  if (copied === undefined)
    return patchFailure(413, `the copies of this patch would add more than ${copyBudgetBytes} bytes`);
  state.copyBudget -= copied.bytes;
  return state.draft.add(path, copied.value);
}

/** A copy and its approximate size as JSON. */
interface BoundedCopy {
  readonly value: Json;
  readonly bytes: number;
}

/**
 * Copies a value if it fits into a budget, and stops as soon as it does not. The copy is deep, because in a draft two
 * places that share one value would change together.
 */
function copyWithin(value: Json, budgetBytes: number): BoundedCopy | undefined {
  const budget = { left: budgetBytes };
  const copied = copyValue(value, budget, 0);
  return budget.left < 0 ? undefined : { value: copied, bytes: budgetBytes - budget.left };
}

interface CopyBudget {
  left: number;
}

function copyValue(value: Json, budget: CopyBudget, depth: number): Json {
  budget.left -= ownBytes(value);
  if (depth >= deepestNesting) budget.left = -1;
  if (budget.left < 0) return null;
  if (isList(value)) return value.map((each) => copyValue(each, budget, depth + 1));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (budget.left < 0) break;
    budget.left -= key.length + 4;
    if (member !== undefined) copy[key] = copyValue(member, budget, depth + 1);
  }
  return copy;
}

function ownBytes(value: Json): number {
  return typeof value === "string" ? value.length + 3 : 4;
}
