import { expect, test } from "vitest";
import { replicaSet } from "../../testing/replica-set.ts";
import { countAnnotation, parseInt64, successor } from "./annotations.ts";

test.for([
  { text: "0", want: 0 },
  { text: "33", want: 33 },
  { text: "007", want: 7 },
  { text: "2147483647", want: 2147483647 },
  { text: "2147483648", want: undefined },
  { text: "9223372036854775807", want: undefined },
  { text: "-1", want: undefined },
  { text: "+1", want: undefined },
  { text: " 1", want: undefined },
  { text: "1.0", want: undefined },
  { text: "1e2", want: undefined },
  { text: "0x10", want: undefined },
  { text: "", want: undefined },
])("countAnnotation reads $text as $want", ({ text, want }) => {
  expect(countAnnotation(replicaSet("web-1", { annotations: { count: text } }), "count")).toBe(want);
});

test("countAnnotation reads an absent annotation as absent", () => {
  expect(countAnnotation(replicaSet("web-1"), "count")).toBeUndefined();
});

test.for([
  { text: "5", want: 5n },
  { text: "+5", want: 5n },
  { text: "-5", want: -5n },
  { text: "0009223372036854775807", want: 9223372036854775807n },
  { text: "9223372036854775808", want: undefined },
  { text: "-9223372036854775808", want: -9223372036854775808n },
  { text: "1_000", want: undefined },
  { text: "five", want: undefined },
  { text: "", want: undefined },
  { text: null, want: undefined },
])("parseInt64 reads $text as $want", ({ text, want }) => {
  expect(parseInt64(text)).toBe(want);
});

test("the last int64 has no successor", () => {
  expect(successor(9223372036854775806n)).toBe(9223372036854775807n);
  expect(successor(9223372036854775807n)).toBe(9223372036854775807n);
});
