import { deepestNesting } from "../../../api/parse-json.ts";
import { type PatchFailure, patchFailure } from "./patch-result.ts";
import { checkPatchKey } from "./patch-safety.ts";

/** The unescaped tokens of an RFC 6901 pointer, at least one. */
export type Pointer = readonly string[];

export type ParsedPointer = { readonly ok: true; readonly pointer: Pointer } | PatchFailure;

/** Parses a JSON pointer to a part of a document. */
export function parsePointer(text: string): ParsedPointer {
  // upstream: no operation applies to the whole document, so that a patch never replaces an object.
  if (text === "") return patchFailure(422, "the whole document can be neither read nor replaced");
  if (!text.startsWith("/"))
    return patchFailure(422, `the JSON pointer ${JSON.stringify(text)} does not start with "/"`);
  if (/~(?![01])/.test(text))
    return patchFailure(
      422,
      `the JSON pointer ${JSON.stringify(text)} has a "~" that is neither "~0" nor "~1"`,
    );
  const pointer = text.slice(1).split("/").map(unescapeToken);
  if (pointer.length > deepestNesting)
    return patchFailure(400, `a JSON pointer is longer than ${deepestNesting} steps`);
  for (const token of pointer) {
    const refusal = checkPatchKey(token);
    if (refusal !== undefined) return refusal;
  }
  return { ok: true, pointer };
}

/** Formats a pointer as RFC 6901 text. */
export function formatPointer(pointer: Pointer): string {
  return pointer.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Reports whether a pointer points inside the value of another. */
export function isInside(inner: Pointer, outer: Pointer): boolean {
  return inner.length > outer.length && outer.every((token, index) => token === inner[index]);
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
