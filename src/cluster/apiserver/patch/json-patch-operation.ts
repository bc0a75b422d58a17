import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { parsePointer, type Pointer } from "./json-pointer.ts";
import { type PatchFailure, patchFailure } from "./patch-result.ts";

/** One operation of a JSON patch (RFC 6902), with parsed pointers. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: Pointer; readonly value: Json }
  | { readonly op: "remove"; readonly path: Pointer }
  | { readonly op: "move" | "copy"; readonly path: Pointer; readonly from: Pointer };

export type ParsedOperations =
  | { readonly ok: true; readonly operations: readonly JsonPatchOperation[] }
  | PatchFailure;

const maxOperations = 10_000;
const maxUnknownMembers = 100;
const members: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/** Parses a JSON patch; unknown members of an operation are ignored. */
export function parseOperations(patch: Json): ParsedOperations {
  if (!Array.isArray(patch)) return patchFailure(400, "a JSON patch must be an array of operations");
  if (patch.length > maxOperations) {
    return patchFailure(
      413,
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  const operations: JsonPatchOperation[] = [];
  for (const [index, entry] of (patch as readonly Json[]).entries()) {
    const parsed = parseOperation(entry);
    if (!("op" in parsed)) return { ...parsed, message: `operation ${index}: ${parsed.message}` };
    operations.push(parsed);
  }
  return { ok: true, operations };
}

/** Returns the unknown members of a JSON patch's operations, at most a hundred, for field validation. */
export function unknownMembers(patch: Json): readonly string[] {
  if (!Array.isArray(patch)) return [];
  const operations = (patch as readonly Json[]).slice(0, maxOperations);
  const unknown = operations.flatMap((entry, index) =>
    Object.keys(isJsonObject(entry) ? entry : {})
      .filter((key) => !members.has(key))
      .map((key) => inJsonPatch(`unknown field ${JSON.stringify(`[${index}].${key}`)}`)),
  );
  return unknown.slice(0, maxUnknownMembers);
}

/** Marks an error as one of the patch, not of the patched object. */
export function inJsonPatch(error: string): string {
  return `json patch ${error}`;
}

/** upstream: an operation has to be an object with texts as members; everything else is checked when it is applied. */
function parseOperation(entry: Json): JsonPatchOperation | PatchFailure {
  if (!isJsonObject(entry)) return patchFailure(400, "must be an object");
  const { op = "" } = entry;
  if (typeof op !== "string") return patchFailure(400, `"op" must be a string`);
  const path = parseMember(entry, "path");
  if (!path.ok) return path;
  switch (op) {
    case "add":
    case "replace":
    case "test":
      return { op, path: path.pointer, value: entry.value ?? null };
    case "remove":
      return { op: "remove", path: path.pointer };
    case "move":
    case "copy": {
      const from = parseMember(entry, "from");
      return from.ok ? { op, path: path.pointer, from: from.pointer } : from;
    }
    default:
      return patchFailure(422, `unknown operation ${JSON.stringify(op)}`);
  }
}

function parseMember(entry: JsonObject, member: "path" | "from") {
  const text = entry[member];
  if (text === undefined) return patchFailure(422, `needs a "${member}"`);
  return typeof text === "string" ? parsePointer(text) : patchFailure(400, `"${member}" must be a string`);
}
