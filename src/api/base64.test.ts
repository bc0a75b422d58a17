import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalBase64, toBase64 } from "./base64.ts";

describe("canonicalBase64", () => {
  test.for([
    { text: "", want: "" },
    { text: "YQ==", want: "YQ==" },
    { text: "YWI=", want: "YWI=" },
    { text: "YWJj", want: "YWJj" },
    { text: "YW\r\nJj\n", want: "YWJj" },
    { text: "YR==", want: "YQ==" },
    { text: "YWJ=", want: "YWI=" },
    { text: "YQ", want: undefined },
    { text: "YQ=", want: undefined },
    { text: "Y===", want: undefined },
    { text: "====", want: undefined },
    { text: "YQ==YQ==", want: undefined },
    { text: "a b=", want: undefined },
    { text: "a-_=", want: undefined },
  ])("of $text is $want", ({ text, want }) => {
    expect(canonicalBase64(text)).toBe(want);
  });
});

test("toBase64 agrees with the platform, across chunks too", () => {
  const big = new Uint8Array(100_000).map((_, index) => index % 251);
  expect(toBase64(big)).toBe(Buffer.from(big).toString("base64"));
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = toBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64"));
      expect(canonicalBase64(text)).toBe(text);
    }),
  );
});
