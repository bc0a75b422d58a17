import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

describe("parseDuration", () => {
  test.for([
    { text: "0", want: 0 },
    { text: "-0", want: 0 },
    { text: "5s", want: 5000 },
    { text: "1h2m3.5s", want: 3_723_500 },
    { text: "500ms", want: 500 },
    { text: "1.5h", want: 5_400_000 },
    { text: ".5s", want: 500 },
    { text: "1.s", want: 1000 },
    { text: "-1m", want: -60_000 },
    { text: "+1m", want: 60_000 },
    { text: "-0s", want: 0 },
    { text: "1m1m", want: 120_000 },
    { text: "1s1h", want: 3_601_000 },
    { text: "250us", want: 0.25 },
    { text: "250µs", want: 0.25 },
    { text: "250μs", want: 0.25 },
    { text: "1000000ns", want: 1 },
    { text: "2562047h", want: 2_562_047 * 3_600_000 },
  ])("reads $text", ({ text, want }) => {
    expect(parseDuration(text)).toBe(want);
  });

  test.for([
    "",
    "5",
    "s",
    ".s",
    "1.2.3s",
    "1d",
    "1 s",
    "s1",
    "--1s",
    "1h-1m",
    "1e3s",
    "∞",
    "3000000h",
    undefined,
    null,
  ])("refuses %s", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("formatDuration", () => {
  test.for([
    { ms: 0, want: "0s" },
    { ms: 1e-7, want: "0s" },
    { ms: 0.000_001, want: "1ns" },
    { ms: 0.001_5, want: "1.5µs" },
    { ms: 1.5, want: "1.5ms" },
    { ms: 999.999_999_9, want: "1s" },
    { ms: 3500, want: "3.5s" },
    { ms: 60_000, want: "1m0s" },
    { ms: 3_600_000, want: "1h0m0s" },
    { ms: 3_723_500, want: "1h2m3.5s" },
    { ms: 90_000_000, want: "25h0m0s" },
    { ms: -1500, want: "-1.5s" },
    { ms: Number.NaN, want: "0s" },
  ])("writes $ms ms as $want", ({ ms, want }) => {
    expect(formatDuration(ms)).toBe(want);
  });

  test("and parseDuration are each other's inverse on whole milliseconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBeCloseTo(ms, 3);
      }),
    );
  });
});
