import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { decodedPart, encodedPart, type TokenSigner } from "./token-signer.ts";

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
