import * as fc from "fast-check";
import { expect, test } from "vitest";
import { byteLength } from "./byte-length.ts";

test("byteLength counts what UTF-8 takes", () => {
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(byteLength(text)).toBe(encoder.encode(text).length);
    }),
  );
});
