import { isJsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import { badRequest } from "../status-errors.ts";

/** Where the next page of a list begins. */
export interface ContinueToken {
  /** The revision of the first page; absent: the newest, which may be inconsistent with earlier pages. */
  readonly revision?: number | undefined;
  /** The last key of the page before. */
  readonly after: string;
}

const version = "trimtab/1";

/** Encodes a token, which clients treat as opaque. */
export function encodeContinueToken({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision ?? -1, start: after })).toString("base64url");
}

/** Decodes a token; throws 400 for a text that is none. */
export function decodeContinueToken(text: string): ContinueToken {
  const parsed = parseJson(Buffer.from(text, "base64url").toString());
  const { v, rv, start } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  if (v !== version || typeof start !== "string" || typeof rv !== "number" || !Number.isSafeInteger(rv))
    throw badRequest("continue key is not valid: it was not made by this server");
  return { after: start, ...(rv > 0 && { revision: rv }) };
}
