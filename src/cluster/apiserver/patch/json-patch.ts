import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { deepestNesting } from "../../../api/parse-json.ts";
import { JsonDraft } from "./json-draft.ts";
import { type Operation, parseOperations } from "./json-patch-operation.ts";
import { formatPointer, isInside, type Pointer } from "./json-pointer.ts";
import { type PatchFailure, patchFailure, type PatchResult } from "./patch-result.ts";
import { checkPatchSafety, isList, isTooDeep } from "./patch-safety.ts";

/** What all `copy` operations of one patch may add together: as much as a request body may hold. */
const copyBudgetBytes = 3 * 1024 * 1024;

interface Work {
  readonly draft: JsonDraft;
  copyBudget: number;
}

/** Applies a JSON patch (RFC 6902) to an object: all of its operations, or none. */
export function applyJsonPatch(document: JsonObject, patch: Json): PatchResult {
  const parsed = checkPatchSafety(patch) ?? parseOperations(patch);
  if (!parsed.ok) return parsed;
  const work: Work = { draft: new JsonDraft(document), copyBudget: copyBudgetBytes };
  for (const [index, operation] of parsed.operations.entries()) {
    const failure = perform(operation, work);
    if (failure !== undefined)
      return { ...failure, message: `operation ${index} (${operation.op}): ${failure.message}` };
  }
  const { value } = work.draft;
  if (!isJsonObject(value)) return patchFailure(422, "the patched document is not an object");
  if (isTooDeep(value))
    return patchFailure(422, `the patched document is nested deeper than ${deepestNesting} levels`);
  return { ok: true, value };
}

function perform(operation: Operation, work: Work): PatchFailure | undefined {
  const { draft } = work;
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
      return copy(work, operation.from, operation.path);
  }
}

function test(draft: JsonDraft, path: Pointer, value: Json): PatchFailure | undefined {
  const found = draft.read(path);
  // Null and absent are one thing in this API, so a test for null is how a client asks for absence.
  if (deepEqual(found.ok ? found.value : null, value)) return undefined;
  return patchFailure(422, `the value at ${JSON.stringify(formatPointer(path))} is not the expected one`);
}

function move(draft: JsonDraft, from: Pointer, path: Pointer): PatchFailure | undefined {
  if (isInside(path, from)) return patchFailure(422, "a value cannot be moved into itself");
  const taken = draft.remove(from);
  return taken.ok ? draft.add(path, taken.value) : taken;
}

function copy(work: Work, from: Pointer, path: Pointer): PatchFailure | undefined {
  const source = work.draft.read(from);
  if (!source.ok) return source;
  const copied = copyWithin(source.value, work.copyBudget);
  if (copied === undefined)
    return patchFailure(413, `the copies of this patch would add more than ${copyBudgetBytes} bytes`);
  work.copyBudget -= copied.bytes;
  return work.draft.add(path, copied.value);
}

/** A copy and about how many bytes it takes as JSON. */
interface BoundedCopy {
  readonly value: Json;
  readonly bytes: number;
}

/**
 * Copies a value if it fits into a budget, and stops looking as soon as it does not.
 * A real copy, because two places sharing one value would change together under a draft.
 */
function copyWithin(value: Json, budgetBytes: number): BoundedCopy | undefined {
  const spend = { left: budgetBytes };
  const copied = copyValue(value, spend, 0);
  return spend.left < 0 ? undefined : { value: copied, bytes: budgetBytes - spend.left };
}

interface Spend {
  left: number;
}

function copyValue(value: Json, spend: Spend, depth: number): Json {
  spend.left -= ownBytes(value);
  if (depth >= deepestNesting) spend.left = -1;
  if (spend.left < 0) return null;
  if (isList(value)) return value.map((each) => copyValue(each, spend, depth + 1));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (spend.left < 0) break;
    spend.left -= key.length + 4;
    if (member !== undefined) copy[key] = copyValue(member, spend, depth + 1);
  }
  return copy;
}

function ownBytes(value: Json): number {
  return typeof value === "string" ? value.length + 3 : 4;
}
