import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
  X509Certificate,
} from "node:crypto";
import { type TokenSigner, encodedPart, decodedPart } from "./token-signer.ts";

/** The keys of service account tokens, as PEM. */
export interface GivenTokenKeys {
  /** A private key, RSA or elliptic. */
  readonly signing: string;
  /** Public keys, private keys or certificates, any number in each text; tokens signed by one of them are believed. */
  readonly verification: readonly string[];
}

/** How a key signs. */
interface Algorithm {
  readonly name: string;
  readonly hash: string;
}

/** Signs tokens with keys that were given, as kube-apiserver does it; throws one sentence for a text that is no key. */
export function givenTokenSigner({ signing, verification }: GivenTokenKeys): TokenSigner {
  const own = readKey("signing", signing, createPrivateKey);
  const keys = verification
    .flatMap(pemBlocks)
    .map((block) => publicKeyIn(block))
    .map((key) => ({ key, id: keyIdOf(key), algorithm: algorithmOf(key) }));
  const [first] = keys;
  if (first === undefined) throw new Error("there is no key by which service account tokens are verified");
  const header = { alg: algorithmOf(own).name, kid: keyIdOf(createPublicKey(own)) };
  return {
    sign(claims) {
      const content = `${encodedPart(header)}.${encodedPart(claims)}`;
      const signature = sign(algorithmOf(own).hash, Buffer.from(content), signingKey(own));
      return `${content}.${signature.toString("base64url")}`;
    },
    read(token) {
      const parts = token.split(".");
      const [head = "", body = "", signature = ""] = parts;
      const name = decodedPart(head)?.["alg"];
      if (parts.length !== 3) return undefined;
      const content = Buffer.from(`${head}.${body}`);
      const signed = Buffer.from(signature, "base64url");
      const isOurs = keys.some(
        ({ key, algorithm }) =>
          algorithm.name === name && verify(algorithm.hash, content, signingKey(key), signed),
      );
      return isOurs ? decodedPart(body) : undefined;
    },
    publicKey: () => ({
      ...first.key.export({ format: "jwk" }),
      alg: first.algorithm.name,
      use: "sig",
      kid: first.id,
    }),
  };
}

const signingKey = (key: KeyObject) => ({ key, dsaEncoding: "ieee-p1363" as const });

const ofCurve: ReadonlyMap<string | undefined, Algorithm> = new Map([
  ["prime256v1", { name: "ES256", hash: "sha256" }],
  ["secp384r1", { name: "ES384", hash: "sha384" }],
  ["secp521r1", { name: "ES512", hash: "sha512" }],
]);

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm {
  const found =
    asymmetricKeyType === "rsa"
      ? { name: "RS256", hash: "sha256" }
      : ofCurve.get(asymmetricKeyDetails?.namedCurve);
  if (found === undefined)
    throw new Error(`service account tokens cannot be signed with a key of type ${asymmetricKeyType}`);
  return found;
}

/** The name of a key in the header of tokens, as kube-apiserver computes it. */
function keyIdOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
}

/** Every PEM block of a text; the text itself where it has none, to be refused as it is. */
function pemBlocks(text: string): readonly string[] {
  return text.match(/-----BEGIN ([^-]+)-----[\s\S]+?-----END \1-----/g) ?? [text];
}

/** A certificate stands for its key, and a private key for its public one. */
function publicKeyIn(block: string): KeyObject {
  return readKey("verification", block, (pem) =>
    pem.includes("CERTIFICATE") ? new X509Certificate(pem).publicKey : createPublicKey(pem),
  );
}

function readKey(use: string, pem: string, read: (pem: string) => KeyObject): KeyObject {
  try {
    return read(pem);
  } catch (error) {
    // How `node:crypto` refuses a text.
    throw new Error(`the ${use} key of service account tokens is not a key in PEM form`, { cause: error });
  }
}
