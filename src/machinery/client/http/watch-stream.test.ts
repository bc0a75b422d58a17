import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./watch-stream.ts";

/** Cuts bytes into chunks at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

test("lines come out whole, wherever the chunks break", () => {
  const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", ""));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 6 }),
      line,
      fc.array(fc.nat(), { maxLength: 8 }),
      (lines, last, places) => {
        const splitter = new LineSplitter(1_000_000);
        const chunks = cut(Buffer.from([...lines, last].join("\n")), places);
        const seen = chunks.flatMap((chunk) => [...splitter.push(chunk)]);
        expect(seen).toEqual(lines.filter((text) => text !== ""));
        expect(splitter.rest()).toBe(last);
      },
    ),
  );
});

test("a line beyond the limit is refused before it is held", () => {
  const splitter = new LineSplitter(10);
  expect([...splitter.push(Buffer.from("0123456789\n01234"))]).toEqual(["0123456789"]);
  expect(() => [...splitter.push(Buffer.from("567890"))]).toThrow("longer than 10 bytes");
});
