import { base64Bytes, toBase64Url } from "../../../api/base64.ts";
import { areEqualBytes, utf8Bytes, utf8Text } from "../../../api/bytes.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { hmacSha256 } from "../../../machinery/hashing/sha256.ts";

/** Signs claims, and reads the claims of tokens that it signed (JSON Web Tokens with ES256). */
export interface TokenSigner {
  sign(claims: JsonObject): string;
  /** Returns `undefined` for a text that is not a token signed here. */
  read(token: string): JsonObject | undefined;
  /** Returns the public key, for clients that check tokens themselves. */
  publicKey(): object;
}

/** A part of a token: JSON in base64url. */
export const encodedPart = (value: JsonObject): string => toBase64Url(utf8Bytes(JSON.stringify(value)));

/** Reads a part of a token; `undefined` for anything else. */
export function decodedPart(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(utf8Text(base64Bytes(part)));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const header = { alg: "HS256", typ: "JWT" };

/**
 * Creates a signer that needs nothing of its host. Only holders of the secret can verify its tokens, which is enough where no
 * other process is given one.
 */
export function secretTokenSigner(secret: string): TokenSigner {
  const signatureOf = (content: string) => hmacSha256(secret, content);
  return {
    sign(claims) {
      const content = `${encodedPart(header)}.${encodedPart(claims)}`;
      return `${content}.${toBase64Url(signatureOf(content))}`;
    },
    read(token) {
      const [head = "", body = "", signature = "", ...rest] = token.split(".");
      if (rest.length > 0 || decodedPart(head)?.["alg"] !== header.alg) return undefined;
      const isOurs = areEqualBytes(base64Bytes(signature), signatureOf(`${head}.${body}`));
      return isOurs ? decodedPart(body) : undefined;
    },
    publicKey: () => ({}),
  };
}
