import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, humanDuration, parseDuration } from "./duration.ts";

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

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

test.for([
  { seconds: -2, want: "<invalid>" },
  { seconds: -1.9, want: "0s" },
  { seconds: 0, want: "0s" },
  { seconds: 0.999, want: "0s" },
  { seconds: 5.9, want: "5s" },
  { seconds: 119, want: "119s" },
  { seconds: 120, want: "2m" },
  { seconds: 200, want: "3m20s" },
  { seconds: 10 * minute - 1, want: "9m59s" },
  { seconds: 10 * minute + 1, want: "10m" },
  { seconds: 3 * hour - 1, want: "179m" },
  { seconds: 3 * hour, want: "3h" },
  { seconds: 4 * hour + 12 * minute + 59, want: "4h12m" },
  { seconds: 8 * hour + minute, want: "8h" },
  { seconds: 2 * day - 1, want: "47h" },
  { seconds: 2 * day, want: "2d" },
  { seconds: 2 * day + 3 * hour, want: "2d3h" },
  { seconds: 8 * day + hour, want: "8d" },
  { seconds: 45 * day, want: "45d" },
  { seconds: 2 * year - 1, want: "729d" },
  { seconds: 2 * year, want: "2y" },
  { seconds: 2 * year + 17 * day, want: "2y17d" },
  { seconds: 8 * year + 17 * day, want: "8y" },
  { seconds: Number.NaN, want: "<invalid>" },
  { seconds: Number.POSITIVE_INFINITY, want: "<invalid>" },
])("$seconds seconds are $want", ({ seconds, want }) => {
  expect(humanDuration(seconds * 1000)).toBe(want);
});
