import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime, parseTime } from "./time.ts";

describe("parseTime", () => {
  test.for([
    { text: "1970-01-01T00:00:00Z", want: 0 },
    { text: "2024-02-29T12:34:56Z", want: 1_709_210_096_000 },
    { text: "2024-02-29T12:34:56.5Z", want: 1_709_210_096_500 },
    { text: "2024-02-29T12:34:56.123456789Z", want: 1_709_210_096_123 },
    { text: "2024-02-29T12:34:56+02:00", want: 1_709_202_896_000 },
    { text: "2024-02-29T12:34:56.25-00:30", want: 1_709_211_896_250 },
    { text: "1969-12-31T23:59:59Z", want: -1000 },
    { text: "0001-01-01T00:00:00Z", want: -62_135_596_800_000 },
    { text: "2000-02-29T00:00:00Z", want: 951_782_400_000 },
  ])("reads $text", ({ text, want }) => {
    expect(parseTime(text)).toBe(want);
  });

  test.for([
    undefined,
    null,
    "",
    "2024-02-29",
    "March 7",
    "2024-02-29T12:34:56",
    "2024-02-29t12:34:56z",
    "2024-02-29 12:34:56Z",
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2024-04-31T00:00:00Z",
    "2024-00-01T00:00:00Z",
    "2024-13-01T00:00:00Z",
    "2024-01-00T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:60Z",
    "2024-01-01T00:00:00+24:00",
    "2024-01-01T00:00:00.Z",
    "12024-01-01T00:00:00Z",
    "2024-01-01T00:00:00Z\n",
  ])("refuses %s", (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  test("agrees with the platform's calendar on every instant it can write", () => {
    const instant = fc
      .integer({ min: -62_135_596_800, max: 253_402_300_799 })
      .map((seconds) => seconds * 1000);
    fc.assert(
      fc.property(instant, (at) => {
        expect(parseTime(formatTime(at))).toBe(at);
        expect(parseTime(formatMicroTime(at))).toBe(at);
      }),
    );
  });
});

describe("formatTime and formatMicroTime", () => {
  test.for([
    { at: 0, time: "1970-01-01T00:00:00Z", microTime: "1970-01-01T00:00:00.000000Z" },
    { at: 999, time: "1970-01-01T00:00:00Z", microTime: "1970-01-01T00:00:00.999000Z" },
    { at: -1, time: "1969-12-31T23:59:59Z", microTime: "1969-12-31T23:59:59.999000Z" },
    { at: 1_700_000_000_000.001, time: "2023-11-14T22:13:20Z", microTime: "2023-11-14T22:13:20.000001Z" },
    { at: Number.NaN, time: "0001-01-01T00:00:00Z", microTime: "0001-01-01T00:00:00.000000Z" },
    { at: -1e20, time: "0001-01-01T00:00:00Z", microTime: "0001-01-01T00:00:00.000000Z" },
    { at: Infinity, time: "9999-12-31T23:59:59Z", microTime: "9999-12-31T23:59:59.999000Z" },
  ])("write $at", ({ at, time, microTime }) => {
    expect([formatTime(at), formatMicroTime(at)]).toEqual([time, microTime]);
  });
});

describe("the canonical form", () => {
  test.for([
    { text: "2024-02-29T12:34:56+02:00", time: "2024-02-29T10:34:56Z", microTime: undefined },
    {
      text: "2024-02-29T12:34:56.123456Z",
      time: "2024-02-29T12:34:56Z",
      microTime: "2024-02-29T12:34:56.123456Z",
    },
    {
      text: "2024-02-29T12:34:56.123456-01:00",
      time: "2024-02-29T13:34:56Z",
      microTime: "2024-02-29T13:34:56.123456Z",
    },
    { text: "2024-02-29T12:34:56.5Z", time: "2024-02-29T12:34:56Z", microTime: undefined },
    { text: "yesterday", time: undefined, microTime: undefined },
  ])("of $text", ({ text, time, microTime }) => {
    expect([canonicalTime(text), canonicalMicroTime(text)]).toEqual([time, microTime]);
  });
});
