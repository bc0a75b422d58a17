import { expect, test } from "vitest";
import { truncateMessage } from "./truncate-message.ts";

test.for([
  { name: "that fits stays as it is", text: "a".repeat(1024), want: "a".repeat(1024) },
  { name: "that does not is cut, which shows", text: "a".repeat(1025), want: `${"a".repeat(1020)} ...` },
  { name: "is cut between characters", text: "ä".repeat(600), want: `${"ä".repeat(510)} ...` },
  { name: "never ends in half a character", text: `a${"€".repeat(400)}`, want: `a${"€".repeat(339)} ...` },
])("a message $name", ({ text, want }) => {
  expect(truncateMessage(text)).toBe(want);
  expect(Buffer.byteLength(truncateMessage(text))).toBeLessThanOrEqual(1024);
});
