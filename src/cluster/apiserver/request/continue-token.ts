import { base64Bytes, toBase64Url } from "../../../api/base64.ts";
import { areEqualBytes, utf8Bytes, utf8Text } from "../../../api/bytes.ts";
import { hmacSha256 } from "../../../machinery/hashing/sha256.ts";
import { isJsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import { type Random, randomInt } from "../../../machinery/random/random.ts";
import { badRequest, resourceExpired } from "../status-errors.ts";

/** The position of the next page of a list. */
export interface ContinueToken {
  /** The revision of the first page; absent: the newest, which may be inconsistent with earlier pages. */
  readonly revision?: number | undefined;
  /** The last key of the previous page. */
  readonly after: string;
}

/**
 * Encodes tokens, which clients treat as opaque, and signs them, so that a client cannot ask for an arbitrary revision.
 */
export interface ContinueTokens {
  encode(token: ContinueToken): string;
  /**
   * Throws 400 for a text that is not a token, 410 for a token that this server did not make, so that clients list
   * again.
   */
  decode(text: string): ContinueToken;
}

const version = "trimtab/1";
const keyLength = 32;

/** Creates the tokens of one run of a server. */
export function createContinueTokens(random: Random): ContinueTokens {
  const key = Uint8Array.from({ length: keyLength }, () => randomInt(random, 256));
  const signatureOf = (rv: number, start: string) => toBase64Url(hmacSha256(key, `${rv} ${start}`));
  return {
    encode({ revision = -1, after }) {
      const token = { v: version, rv: revision, start: after, signature: signatureOf(revision, after) };
      return toBase64Url(utf8Bytes(JSON.stringify(token)));
    },
    decode(text) {
      const { rv, start, signature } = parsedToken(text);
      if (!areEqualBytes(utf8Bytes(signature), utf8Bytes(signatureOf(rv, start))))
        throw resourceExpired("the continue token is not of this run of the server: list again");
      return { after: start, ...(rv > 0 && { revision: rv }) };
    },
  };
}

function parsedToken(text: string): {
  readonly rv: number;
  readonly start: string;
  readonly signature: string;
} {
  const parsed = parseJson(utf8Text(base64Bytes(text)));
  const { v, rv, start, signature } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  if (v !== version || typeof start !== "string" || typeof rv !== "number" || !Number.isSafeInteger(rv))
    throw badRequest("continue key is not valid: it was not made by this server");
  return { rv, start, signature: typeof signature === "string" ? signature : "" };
}
