import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { now } from "./any-pods.cases.ts";
import { bucketStartMs, exactAge, logBucket } from "./log-bucket.ts";

const second = 1000;
const hour = 3600 * second;
const bucketOfAge = (ageMs: number): number => logBucket(now - ageMs, now);

describe("logBucket", () => {
  test.for([
    { name: "1.07 s", beforeMs: 1073, fromMs: 1074, bucket: 30 },
    { name: "8.59 s", beforeMs: 8589, fromMs: 8590, bucket: 33 },
    { name: "68.7 s", beforeMs: 68_719, fromMs: 68_720, bucket: 36 },
    { name: "4 m 35 s", beforeMs: 274_877, fromMs: 274_878, bucket: 38 },
    { name: "18 m 20 s", beforeMs: 1_099_511, fromMs: 1_099_512, bucket: 40 },
    { name: "1 h 13 m 18 s", beforeMs: 4_398_046, fromMs: 4_398_047, bucket: 42 },
    { name: "39 h 6 m", beforeMs: 140_737_488, fromMs: 140_737_489, bucket: 47 },
  ])("has an edge at $name", ({ beforeMs, fromMs, bucket }) => {
    expect([bucketOfAge(beforeMs), bucketOfAge(fromMs)]).toEqual([bucket - 1, bucket]);
  });

  test("puts 5 h and 8 h together, and 2 h and 5 h apart", () => {
    expect(bucketOfAge(5 * hour)).toBe(bucketOfAge(8 * hour));
    expect(bucketOfAge(2 * hour)).toBeLessThan(bucketOfAge(5 * hour));
  });

  test.for([
    { name: "a time to come", time: now + 1, want: -1 },
    { name: "this moment", time: now, want: -1 },
    { name: "no time", time: undefined, want: -2 },
    { name: "no number", time: Number.NaN, want: -2 },
    { name: "a millisecond ago", time: now - 1, want: 19 },
    { name: "the beginning of time", time: -Infinity, want: 72 },
  ])("gives $name the bucket $want", ({ time, want }) => {
    expect(logBucket(time, now)).toBe(want);
  });

  test("is the bit length of the nanoseconds, exactly, for every whole millisecond", () => {
    const nearEdges = fc
      .tuple(fc.integer({ min: 20, max: 72 }), fc.integer({ min: -2, max: 2 }))
      .map(([k, off]) => Math.max(1, Math.min(Math.round(bucketStartMs(k)) + off, Number.MAX_SAFE_INTEGER)));
    fc.assert(
      fc.property(fc.oneof(nearEdges, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })), (ageMs) => {
        const bits = (BigInt(ageMs) * 1_000_000n).toString(2).length;
        expect(logBucket(0, ageMs)).toBe(bits - 1);
      }),
    );
  });
});

describe("exactAge", () => {
  test.for([
    { name: "in milliseconds", time: now - 5, want: 5 },
    { name: "negative for a time to come", time: now + 5, want: -5 },
    { name: "the least of all for no time", time: undefined, want: -Infinity },
    { name: "the least of all for no number", time: Number.NaN, want: -Infinity },
  ])("is $name", ({ time, want }) => {
    expect(exactAge(time, now)).toBe(want);
  });
});
