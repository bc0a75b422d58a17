import { expect, test } from "vitest";
import { createCertificateAuthority } from "./certificate.ts";
import { seededRandom } from "../random/random.ts";
import { elementsOf, pemBlocks } from "./read-pem.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("the blocks of a PEM text are found between explanations", () => {
  const { certificate } = createCertificateAuthority(0, seededRandom(1));
  const text = `for example:\n${certificate}and again\r\n${certificate.replaceAll("\n", "\r\n")}`;
  const blocks = pemBlocks(bytesOf(text));
  expect(blocks.map(({ type }) => type)).toEqual(["CERTIFICATE", "CERTIFICATE"]);
  expect(blocks[0]?.bytes).toEqual(blocks[1]?.bytes);
  // What is signed, the algorithm, and the signature.
  expect(elementsOf(blocks[0]?.bytes ?? new Uint8Array())).toHaveLength(3);
});

test.for([
  ["nothing", ""],
  ["no block", "certificate"],
  ["a block without an end", "-----BEGIN CERTIFICATE-----\nAAAA\n"],
  ["a block that ends as another", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END KEY-----\n"],
])("%s has no blocks", ([, text]) => {
  expect(pemBlocks(bytesOf(text ?? ""))).toEqual([]);
});

test.for<readonly [string, readonly number[], readonly (readonly number[])[] | undefined]>([
  ["an empty sequence", [0x30, 0], []],
  [
    "two numbers",
    [0x30, 6, 2, 1, 7, 2, 1, 8],
    [
      [2, 1, 7],
      [2, 1, 8],
    ],
  ],
  ["a long form of the length", [0x30, 0x81, 3, 2, 1, 7], [[2, 1, 7]]],
  ["nothing", [], undefined],
  ["a number", [2, 1, 7], undefined],
  ["something behind it", [0x30, 0, 0], undefined],
  ["an end that is missing", [0x30, 3, 2, 1], undefined],
  ["an element that is longer than all", [0x30, 3, 2, 9, 7], undefined],
  ["a length that nobody knows", [0x30, 0x80, 0, 0], undefined],
  ["a length of more bytes than there can be", [0x30, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1], undefined],
])("the values of a DER sequence: %s", ([, bytes, want]) => {
  expect(elementsOf(Uint8Array.from(bytes))?.map((each) => [...each])).toEqual(want);
});
