import { extended } from "../../../api/extended.ts";
import type { Json, JsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import { bareMediaType, parsedOrBadRequest, bodyText } from "../decoding/read-body.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import type { PatchBody } from "../request/api-request.ts";
import { badRequest, requestEntityTooLarge, unprocessable, unsupportedMediaType } from "../status-errors.ts";
import { inJsonPatch, unknownMembers } from "./json-patch-operation.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";
import type { PatchFailure, PatchResult } from "./patch-result.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

type PatchType = "json" | "merge" | "strategic";

const mediaTypes: ReadonlyMap<string, PatchType> = new Map([
  ["application/json-patch+json", "json"],
  ["application/merge-patch+json", "merge"],
  ["application/strategic-merge-patch+json", "strategic"],
]);
const applyType = "application/apply-patch+yaml";
/** The patch types of kinds without strategic merge patches. */
const unstrategicTypes = ["application/json-patch+json", "application/merge-patch+json", applyType];

/** Reports whether a patch is an applied configuration, which is merged by field ownership instead. */
export function isApply(body: PatchBody): boolean {
  return body.form === "bytes" && bareMediaType(body.contentType) === applyType;
}

/** A parsed patch. */
export interface ReadPatch {
  readonly type: PatchType;
  readonly value: Json;
  /** Unknown and duplicate fields in the patch itself. */
  readonly strictErrors: readonly string[];
}

/**
 * Parses the patch of a request for a kind with or without strategic merge patches; throws 415 for an unsupported type,
 * 400 for a malformed patch.
 */
export function readPatch(body: PatchBody, hasStrategic: boolean): ReadPatch {
  if (body.form === "value") return extended(body, { strictErrors: [] });
  const mediaType = bareMediaType(body.contentType);
  const type = mediaTypes.get(mediaType);
  if (!hasStrategic && (type === undefined || type === "strategic"))
    throw unsupportedMediaType(unstrategicTypes);
  if (type === undefined) throw unsupportedMediaType([...mediaTypes.keys(), applyType]);
  const { value, duplicates } = parsedOrBadRequest(
    parseJson(bodyText(body.bytes), { reportDuplicates: true }),
  );
  const complaints =
    type === "json" ? [...duplicates.map(inJsonPatch), ...unknownMembers(value)] : duplicates;
  return { type, value, strictErrors: complaints };
}

/** Applies a patch to an object of a kind; throws 400, 413, 415 or 422 when it cannot be applied. */
export function applyPatch(document: JsonObject, patch: ReadPatch, schema: KindSchema): JsonObject {
  const result = applied(document, patch, schema);
  if (!result.ok) throw refusal(result);
  return result.value;
}

function applied(document: JsonObject, { type, value }: ReadPatch, { mergeRule }: KindSchema): PatchResult {
  switch (type) {
    case "json":
      return applyJsonPatch(document, value);
    case "merge":
      return applyMergePatch(document, value);
    case "strategic":
      if (mergeRule === undefined) throw unsupportedMediaType(unstrategicTypes);
      return applyStrategicMergePatch(document, value, mergeRule);
  }
}

function refusal({ code, message }: PatchFailure) {
  switch (code) {
    case 400:
      return badRequest(message);
    case 413:
      return requestEntityTooLarge(message);
    case 422:
      return unprocessable(message);
  }
}
