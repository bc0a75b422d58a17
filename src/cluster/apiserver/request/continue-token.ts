import { isJsonObject } from "../../../api/json.ts";
import { badRequest } from "../status-errors.ts";

/** Where a paged list goes on. */
export interface ContinueToken {
  /** The revision of the first page; absent: whatever is newest, pages need not fit together. */
  readonly revision?: number | undefined;
  /** The last key that was delivered. */
  readonly after: string;
}

const version = "trimtab/1";

/** Makes the text a client hands back unread. */
export function encodeContinueToken({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision ?? -1, start: after })).toString("base64url");
}

/** Reads it again; throws 400 for anything else. */
export function decodeContinueToken(text: string): ContinueToken {
  const token = parse(Buffer.from(text, "base64url").toString());
  const { v, rv, start } = isJsonObject(token) ? token : {};
  if (v !== version || typeof start !== "string" || typeof rv !== "number" || !Number.isSafeInteger(rv))
    throw badRequest("continue key is not valid: it was not made by this server");
  return { after: start, ...(rv > 0 && { revision: rv }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // nothing of ours
  }
}
