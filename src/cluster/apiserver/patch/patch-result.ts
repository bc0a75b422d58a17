import type { JsonObject } from "../../../api/json.ts";

/** Why a patch was not applied: 400 it is malformed, 413 it is too large, 422 it does not fit the document. */
export interface PatchFailure {
  readonly ok: false;
  readonly code: 400 | 413 | 422;
  readonly message: string;
}

/** The patched document, which shares what did not change with the original; or why there is none. */
export type PatchResult = { readonly ok: true; readonly value: JsonObject } | PatchFailure;

/** Returns the failure of a patch. */
export function patchFailure(code: PatchFailure["code"], message: string): PatchFailure {
  return { ok: false, code, message };
}
