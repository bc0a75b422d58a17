import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineTagger } from "./tag-lines.ts";

test("every line gets the tag, wherever chunks end", () => {
  const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", ""));
  const cuts = fc.array(fc.nat());
  fc.assert(
    fc.property(fc.array(line), cuts, (lines, where) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
      const ends = [...where.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
      const tagger = new LineTagger("7 ");
      const tagged = ends.map((end, index) => tagger.push(bytes.subarray(ends[index - 1] ?? 0, end)));
      expect(Buffer.concat(tagged).toString()).toBe(
        Buffer.from(lines.map((text) => `7 ${text}\n`).join("")).toString(),
      );
    }),
  );
});

test("the beginning of a line waits for its end", () => {
  const tagger = new LineTagger("- ");
  expect(
    ["a", "b", "\n", "c"].map((letter) => Buffer.from(tagger.push(Buffer.from(letter))).toString()),
  ).toEqual(["", "", "- ab\n", ""]);
});

test("a stream without ends of lines does not fill the memory", () => {
  const tagger = new LineTagger("0 ");
  const chunk = Buffer.alloc(2 ** 20);
  expect(() => {
    for (let count = 0; count < 17; count++) tagger.push(chunk);
  }).toThrow("a line is longer than 16777216 bytes");
});
