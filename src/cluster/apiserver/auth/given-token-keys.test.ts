import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { givenTokenSigner } from "./given-token-keys.ts";

const pem = { type: "pkcs8", format: "pem" } as const;
const publicPem = { type: "spki", format: "pem" } as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const curve = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });
const p256 = curve("P-256");
const claims = { sub: "system:serviceaccount:default:robot" };

const algorithmIn = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());

test.each([
  ["RS256", rsa],
  ["ES256", p256],
  ["ES384", curve("P-384")],
  ["ES512", curve("P-521")],
])("tokens are signed and read by %s", (alg, { privateKey, publicKey }) => {
  const signer = givenTokenSigner({
    signing: privateKey.export(pem).toString(),
    verification: [publicKey.export(publicPem).toString()],
  });
  const token = signer.sign(claims);
  expect(algorithmIn(token)).toMatchObject({ alg });
  expect(signer.read(token)).toEqual(claims);
  expect(signer.publicKey()).toMatchObject({ alg, use: "sig" });
  const [head = "", body = ""] = token.split(".");
  expect([`${head}.${body}.AAAA`, `${head}.${body}`, "x.y.z", ""].map((text) => signer.read(text))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("tokens of every key of a file are believed, so that keys can be replaced", () => {
  const old = givenTokenSigner({
    signing: rsa.privateKey.export(pem).toString(),
    verification: [rsa.privateKey.export(pem).toString()],
  });
  const both = [rsa, p256].map(({ publicKey }) => publicKey.export(publicPem).toString()).join("");
  const next = givenTokenSigner({ signing: p256.privateKey.export(pem).toString(), verification: [both] });
  expect(next.read(old.sign(claims))).toEqual(claims);
  expect(old.read(next.sign(claims))).toBeUndefined();
});

test("a text that is no key is refused in one sentence", () => {
  const signing = p256.privateKey.export(pem).toString();
  expect(() => givenTokenSigner({ signing: "x", verification: [signing] })).toThrow(
    "the signing key of service account tokens is not a key in PEM form",
  );
  expect(() => givenTokenSigner({ signing, verification: ["x"] })).toThrow(
    "the verification key of service account tokens is not a key in PEM form",
  );
});
