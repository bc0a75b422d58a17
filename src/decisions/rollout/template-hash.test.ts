import { expect, test } from "vitest";
import { podTemplate } from "../../testing/index.ts";
import { fnv1a, hashTemplate } from "./template-hash.ts";

test.for([
  { text: "", want: 0x811c9dc5 },
  { text: "a", want: 0xe40c292c },
  { text: "foobar", want: 0xbf9cf968 },
])("FNV-1a of $text is the published number", ({ text, want }) => {
  expect(fnv1a(new TextEncoder().encode(text))).toBe(want);
});

test("a hash is written with digits and consonants alone", () => {
  expect(hashTemplate(podTemplate("app:1"))).toMatch(/^[4-9bcdf]{1,10}$/);
});

test("a hash does not depend on an earlier hash", () => {
  expect(hashTemplate(podTemplate("app:1", "abc"))).toBe(hashTemplate(podTemplate("app:1")));
});

test("a thousand similar templates have a thousand hashes", () => {
  const hashes = Array.from({ length: 1000 }, (_, index) => hashTemplate(podTemplate(`app:${index}`)));
  expect(new Set(hashes).size).toBe(1000);
});

test("each collision leads to another hash, the count of 0 included", () => {
  const template = podTemplate("app:1");
  const hashes = [undefined, 0, 1, 2, 3].map((count) => hashTemplate(template, count));
  expect(new Set(hashes).size).toBe(5);
  expect(hashTemplate(template, null)).toBe(hashTemplate(template));
});
