import { expect, test } from "vitest";
import { fnv1a } from "./safe-hash.ts";

test.for([
  { text: "", want: 0x811c9dc5 },
  { text: "a", want: 0xe40c292c },
  { text: "foobar", want: 0xbf9cf968 },
])("FNV-1a of $text is the published number", ({ text, want }) => {
  expect(fnv1a(new TextEncoder().encode(text))).toBe(want);
});
