import * as fc from "fast-check";
import { expect, test } from "vitest";
import { percentOf, scaledValue } from "./int-or-string.ts";

test.for([
  { value: undefined, total: 10, up: 0, down: 0 },
  { value: null, total: 10, up: 0, down: 0 },
  { value: 3, total: 10, up: 3, down: 3 },
  { value: -3, total: 10, up: -3, down: -3 },
  { value: 0, total: 10, up: 0, down: 0 },
  { value: "0%", total: 10, up: 0, down: 0 },
  { value: "25%", total: 10, up: 3, down: 2 },
  { value: "25%", total: 4, up: 1, down: 1 },
  { value: "25%", total: 0, up: 0, down: 0 },
  { value: "7%", total: 100, up: 7, down: 7 },
  { value: "150%", total: 3, up: 5, down: 4 },
  { value: "25", total: 10, up: undefined, down: undefined },
  { value: "-25%", total: 10, up: undefined, down: undefined },
  { value: "2.5%", total: 10, up: undefined, down: undefined },
  { value: "%", total: 10, up: undefined, down: undefined },
  { value: "", total: 10, up: undefined, down: undefined },
  { value: 1.5, total: 10, up: undefined, down: undefined },
  { value: Number.NaN, total: 10, up: undefined, down: undefined },
])("$value of $total is $up rounded up and $down rounded down", ({ value, total, up, down }) => {
  expect(scaledValue(value, total, "up")).toBe(up);
  expect(scaledValue(value, total, "down")).toBe(down);
});

test("a percentage is rounded from its exact product", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(2 ** 31 - 1), (percent, total) => {
      const exact = BigInt(percent) * BigInt(total);
      expect(scaledValue(`${percent}%`, total, "down")).toBe(Number(exact / 100n));
      expect(scaledValue(`${percent}%`, total, "up")).toBe(Number((exact + 99n) / 100n));
    }),
  );
});

test.for([
  { text: "25%", want: 25 },
  { text: "007%", want: 7 },
  { text: "25", want: undefined },
  { text: "25%%", want: undefined },
])("percentOf $text is $want", ({ text, want }) => {
  expect(percentOf(text)).toBe(want);
});
