import * as fc from "fast-check";
import { expect, test } from "vitest";
import { base64Bytes, toBase64, toBase64Url } from "./base64.ts";
import {
  areEqualBytes,
  compareBytes,
  hexText,
  joinedBytes,
  latin1Text,
  utf8Bytes,
  utf8Length,
  utf8Text,
} from "./bytes.ts";

const anyText = fc.string({ unit: "binary" });
const anyBytes = fc.uint8Array({ maxLength: 50 });

/** Texts as `Buffer` reads and writes them: the reference, since clients of Node's servers know it. */
test("texts become the bytes of Node's Buffer, and bytes its texts", () => {
  fc.assert(
    fc.property(anyText, anyBytes, (text, bytes) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      expect(hexText(utf8Bytes(text))).toBe(Buffer.from(text).toString("hex"));
      expect(utf8Text(bytes)).toBe(Buffer.from(bytes).toString());
      expect(latin1Text(bytes)).toBe(Buffer.from(bytes).toString("latin1"));
    }),
  );
});

test("half a pair of characters has the three bytes of U+FFFD", () => {
  for (const text of ["\uD800", "\uDC00", "a\uD800b", "\uD800\uD800\uDC00", "\uDC00\uD800"])
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
});

test("base64 is Node's, also where a text is none", () => {
  fc.assert(
    fc.property(anyBytes, anyText, fc.base64String(), (bytes, text, base64) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      expect(hexText(base64Bytes(base64))).toBe(Buffer.from(base64, "base64").toString("hex"));
      const ascii = text.replaceAll(/[^ -~\n]/g, "");
      expect(hexText(base64Bytes(ascii))).toBe(Buffer.from(ascii, "base64").toString("hex"));
    }),
  );
});

test("bytes are compared and joined as Node does it", () => {
  fc.assert(
    fc.property(anyBytes, anyBytes, (left, right) => {
      expect(compareBytes(left, right)).toBe(Buffer.compare(left, right));
      expect(areEqualBytes(left, right)).toBe(Buffer.compare(left, right) === 0);
      expect(hexText(joinedBytes([left, right]))).toBe(Buffer.concat([left, right]).toString("hex"));
    }),
  );
});
