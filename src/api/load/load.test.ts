import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFieldError } from "../field-error.ts";
import { curveAt, loadAt, shareOf } from "./load-at.ts";
import type { MetricLoad } from "./load.ts";
import { readLoad } from "./read-load.ts";

const hour = 3_600_000;

function load(metric: object): MetricLoad {
  const read = readLoad({ cpu: metric });
  const found = read.ok ? read.load.get("cpu") : undefined;
  if (found === undefined) throw new Error(JSON.stringify(read));
  return found;
}

const marks = [
  { at: "6h", value: 10 },
  { at: "12h", value: "30" },
];

test.for<{ name: string; total: unknown; at: readonly (readonly [hours: number, value: number])[] }>([
  {
    name: "an amount",
    total: "1500m",
    at: [
      [0, 1.5],
      [99, 1.5],
    ],
  },
  {
    name: "steps, daily",
    total: { steps: marks },
    at: [
      [0, 30],
      [6, 10],
      [11.9, 10],
      [12, 30],
      [24, 30],
      [30, 10],
    ],
  },
  {
    name: "steps after the creation, once",
    total: { steps: marks, since: "Creation" },
    at: [
      [100, 10],
      [107, 10],
      [112, 30],
      [999, 30],
    ],
  },
  {
    name: "points, joined around midnight",
    total: { points: marks },
    at: [
      [9, 20],
      [12, 30],
      [21, 20],
      [27, 13 + 1 / 3],
    ],
  },
  {
    name: "points that begin anew",
    total: {
      points: [
        { at: "0s", value: 0 },
        { at: "1h", value: 4 },
      ],
      every: "2h",
    },
    at: [
      [0.5, 2],
      [1.5, 2],
      [2.5, 2],
    ],
  },
  {
    name: "a wave of a day",
    total: { wave: { low: 10, high: 30, peakAt: "14h" } },
    at: [
      [14, 30],
      [2, 10],
      [8, 20],
    ],
  },
  {
    name: "a wave of an hour",
    total: { wave: { low: 0, high: 2, period: "1h" } },
    at: [
      [0, 0],
      [0.5, 2],
      [7, 0],
    ],
  },
])("the curve of $name", ({ total, at }) => {
  const { curve } = load({ total });
  for (const [hours, value] of at)
    expect(curveAt(curve, { now: hours * hour, createdAt: 100 * hour }), `at ${hours} h`).toBeCloseTo(
      value,
      9,
    );
});

test.for<{ name: string; value: unknown; want: readonly string[] }>([
  {
    name: "that is no object",
    value: "much",
    want: [': Invalid value: "much": must be an object with a member for each metric, such as cpu'],
  },
  {
    name: "with the name of a metric that no path can have",
    value: { "a/b": { total: 1 } },
    want: ["a/b: Invalid value: \"a/b\": may not contain '/'"],
  },
  {
    name: "without a curve",
    value: { cpu: {} },
    want: ["cpu: Required value: needs one of total, perPod"],
  },
  {
    name: "with both sides",
    value: { cpu: { total: 1, perPod: 2 } },
    want: ["cpu.perPod: Forbidden: may not be there together with total"],
  },
  {
    name: "with a word that is not known",
    value: { cpu: { total: 1, noize: "1%" } },
    want: ['cpu.noize: Forbidden: unknown field; did you mean "noise"?'],
  },
  {
    name: "of an impossible shape",
    value: { cpu: { total: { steps: [], points: [] } } },
    want: [
      "cpu.total.steps: Required value: needs at least one item",
      "cpu.total.points: Required value: needs at least one item",
      "cpu.total.points: Forbidden: may not be there together with steps",
    ],
  },
  {
    name: "with times that do not rise",
    value: {
      cpu: {
        perPod: {
          steps: [
            { at: "2h", value: 1 },
            { at: "1h", value: -1 },
            { at: "1h", value: 1 },
            { at: "25h", value: 1 },
          ],
        },
      },
    },
    want: [
      "cpu.perPod.steps[1].value: Invalid value: -1: must be an amount such as 500m, 2 or 1Gi, not negative",
      'cpu.perPod.steps[1].at: Invalid value: "1h": must be later than the one before',
      'cpu.perPod.steps[2].at: Invalid value: "1h": must be later than the one before',
      'cpu.perPod.steps[3].at: Invalid value: "25h": must be before the curve begins anew',
    ],
  },
  {
    name: "with an impossible wave",
    value: { cpu: { total: { wave: { low: 3, high: 2, period: "0s", peakAt: 4 }, since: "Yesterday" } } },
    want: [
      "cpu.total.wave.peakAt: Invalid value: 4: must be a duration such as 90s, 5m or 1h30m",
      'cpu.total.wave.period: Invalid value: "0s": must be longer than 0s',
      "cpu.total.wave.low: Invalid value: 3: must not be above high",
      'cpu.total.since: Unsupported value: "Yesterday": supported values: "Midnight", "Creation"',
    ],
  },
  {
    name: "with a wave that begins anew",
    value: { cpu: { total: { wave: { low: 1, high: 2 }, every: "2h" } } },
    want: ["cpu.total.every: Forbidden: goes with steps or points; a wave has a period"],
  },
  {
    name: "with amounts and times beyond what can be read",
    value: { cpu: { total: `1${"0".repeat(300)}`, noise: 0.1, noiseEvery: "99999999h" } },
    want: [
      expect.stringMatching(/^cpu.total: Invalid value: "10+": must be an amount/),
      'cpu.noiseEvery: Invalid value: "99999999h": must be a duration such as 90s, 5m or 1h30m',
    ],
  },
  {
    name: "with shares and words out of range",
    value: { cpu: { total: 1, noise: "120%", distribution: "Random", idle: "x", container: "A B" } },
    want: [
      'cpu.noise: Invalid value: "120%": must be a percentage such as 25%',
      'cpu.distribution: Unsupported value: "Random": supported values: "Even", "Skewed", "ByWeight"',
      'cpu.idle: Invalid value: "x": must be an amount such as 500m, 2 or 1Gi, not negative',
      expect.stringMatching(/^cpu.container: Invalid value: "A B": a lowercase RFC 1123 label/),
    ],
  },
  {
    name: "with members that need others",
    value: { cpu: { total: 1, skew: 0.1, noiseEvery: "1ms" } },
    want: [
      "cpu.skew: Invalid value: 0.1: needs the distribution Skewed",
      'cpu.noiseEvery: Invalid value: "1ms": needs noise',
      'cpu.noiseEvery: Invalid value: "1ms": must be a duration of at least 1s',
    ],
  },
])("a load $name is refused with its path", ({ value, want }) => {
  const read = readLoad(value);
  expect(read.ok ? [] : read.errors.map(formatFieldError)).toEqual(want);
});

describe("noise", () => {
  const noisy = load({ total: 100, noise: "10%", noiseEvery: "1m", seed: "monday" });
  const at = (minutes: number, of = "", metric = noisy) =>
    loadAt(metric, { now: minutes * 60_000, createdAt: 0 }, of);

  test("stays within its share, holds for a while, and depends on the seed and on the Pod", () => {
    const values = Array.from({ length: 200 }, (_, minute) => at(minute));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(90);
    expect(Math.max(...values)).toBeLessThanOrEqual(110);
    expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(15);
    expect(at(7.9)).toBe(at(7));
    expect(at(7, "pod-a")).not.toBe(at(7, "pod-b"));
    expect(at(7, "", { ...noisy, seed: "tuesday" })).not.toBe(at(7));
  });
});

test("shares are one on average, however skewed", () => {
  const { length } = Array.from({ length: 5000 });
  for (const skew of [0, 0.5, 1]) {
    const metric = load({ total: 1, distribution: "Skewed", skew });
    const shares = Array.from({ length }, (_, pod) => shareOf(metric, `pod-${pod}`, 1));
    expect(shares.reduce((sum, share) => sum + share, 0) / length).toBeCloseTo(1, 1);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(1 - skew);
  }
  expect(shareOf(load({ total: 1, distribution: "ByWeight" }), "pod", 3)).toBe(3);
});

test("no value makes the reader throw", () => {
  const words = [
    "cpu",
    "total",
    "perPod",
    "steps",
    "points",
    "wave",
    "at",
    "value",
    "low",
    "high",
    "every",
    "noise",
  ];
  const values = fc.object({ key: fc.constantFrom(...words), maxDepth: 5 });
  fc.assert(
    fc.property(fc.oneof(values, fc.anything()), (value) => {
      const read = readLoad(value);
      if (!read.ok) for (const error of read.errors) expect(formatFieldError(error)).toBeTypeOf("string");
    }),
  );
});
