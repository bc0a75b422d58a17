import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";

/** Signs claims, and reads the claims of tokens that it signed (JSON Web Tokens with ES256). */
export interface TokenSigner {
  sign(claims: JsonObject): string;
  /** Returns `undefined` for a text that is not a token signed here. */
  read(token: string): JsonObject | undefined;
  /** Returns the public key, for clients that check tokens themselves. */
  publicKey(): JsonWebKey;
}

/** Creates a signer whose key is derived from a secret: tokens stay valid as long as the secret is the same. */
export function createTokenSigner(secret: string): TokenSigner {
  let pair: { readonly own: KeyObject; readonly shared: KeyObject } | undefined;
  // Created on demand, since most servers never issue a token.
  const keys = () => {
    pair ??= keysOf(secret);
    return pair;
  };
  return {
    sign(claims) {
      const content = `${encodedPart({ alg: "ES256", kid: keyId, typ: "JWT" })}.${encodedPart(claims)}`;
      return `${content}.${sign("sha256", Buffer.from(content), signing(keys().own)).toString("base64url")}`;
    },
    read(token) {
      const parts = token.split(".");
      const [head = "", body = "", signature = ""] = parts;
      if (parts.length !== 3 || decodedPart(head)?.["alg"] !== "ES256") return undefined;
      const isOurs = verify(
        "sha256",
        Buffer.from(`${head}.${body}`),
        signing(keys().shared),
        Buffer.from(signature, "base64url"),
      );
      return isOurs ? decodedPart(body) : undefined;
    },
    publicKey: () => ({ ...keys().shared.export({ format: "jwk" }), alg: "ES256", use: "sig", kid: keyId }),
  };
}

const keyId = "trimtab";
const curve = "prime256v1";
const signing = (key: KeyObject) => ({ key, dsaEncoding: "ieee-p1363" as const });

/** A part of a token: JSON in base64url. */
export const encodedPart = (value: JsonObject): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

/** Reads a part of a token; `undefined` for anything else. */
export function decodedPart(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function keysOf(secret: string) {
  const scalar = createHmac("sha256", secret).update("service account tokens").digest();
  const exchange = createECDH(curve);
  exchange.setPrivateKey(scalar);
  // The uncompressed form: a byte, then both coordinates.
  const point = exchange.getPublicKey();
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: scalar.toString("base64url"),
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const own = createPrivateKey({ key: jwk, format: "jwk" });
  return { own, shared: createPublicKey(own) };
}
