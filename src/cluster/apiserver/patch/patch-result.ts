import type { JsonObject } from "../../../api/json.ts";

/** Why a patch has no result: 400 it is malformed, 413 it is too much, 422 it does not fit the document. */
export interface PatchFailure {
  readonly ok: false;
  readonly code: 400 | 413 | 422;
  readonly message: string;
}

/** The patched document, sharing whatever did not change with the one it came from; or why there is none. */
export type PatchResult = { readonly ok: true; readonly value: JsonObject } | PatchFailure;

/** Says no to a patch. */
export function patchFailure(code: PatchFailure["code"], message: string): PatchFailure {
  return { ok: false, code, message };
}
