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
    want: ['load: Invalid value: "much": must be an object with a member for each metric, such as cpu'],
  },
  {
    name: "without a curve",
    value: { cpu: {} },
    want: ["load.cpu.total: Required value: must set total or perPod"],
  },
  {
    name: "with both sides",
    value: { cpu: { total: 1, perPod: 2 } },
    want: ["load.cpu.perPod: Invalid value: 2: may not be set together with total"],
  },
  {
    name: "with a word that is not known",
    value: { cpu: { total: 1, noize: "1%" } },
    want: [
      'load.cpu.noize: Invalid value: "1%": unknown field, must be one of total, perPod, distribution, skew, noise, noiseEvery, seed, idle, container',
    ],
  },
  {
    name: "of an impossible shape",
    value: { cpu: { total: { steps: [], points: [] } } },
    want: [
      'load.cpu.total: Invalid value: {"steps":[],"points":[]}: must have exactly one of steps, points and wave',
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
            { at: "25h", value: 1 },
          ],
        },
      },
    },
    want: [
      "load.cpu.perPod.steps[1].value: Invalid value: -1: must be an amount such as 500m, 2 or 1Gi, not negative",
      'load.cpu.perPod.steps[2].at: Invalid value: "25h": must be before the curve begins anew',
    ],
  },
  {
    name: "with an impossible wave",
    value: { cpu: { total: { wave: { low: 3, high: 2, period: "0s", peakAt: 4 }, since: "Yesterday" } } },
    want: [
      'load.cpu.total.since: Unsupported value: "Yesterday": supported values: "Midnight", "Creation"',
      'load.cpu.total.wave.period: Invalid value: "0s": must be longer than nothing',
      "load.cpu.total.wave.peakAt: Invalid value: 4: must be a duration such as 90s or 8h30m, not negative",
      "load.cpu.total.wave.low: Invalid value: 3: must not be above high",
    ],
  },
  {
    name: "with shares and words out of range",
    value: { cpu: { total: 1, noise: "120%", distribution: "Random", idle: "x", container: "A B" } },
    want: [
      'load.cpu.distribution: Unsupported value: "Random": supported values: "Even", "Skewed", "ByWeight"',
      'load.cpu.noise: Invalid value: "120%": must be a share from 0 to 1, or a percentage',
      'load.cpu.idle: Invalid value: "x": must be an amount such as 500m, 2 or 1Gi, not negative',
      expect.stringMatching(/^load.cpu.container: Invalid value: "A B": a lowercase RFC 1123 label/),
    ],
  },
])("a load $name is refused with its path", ({ value, want }) => {
  const read = readLoad(value, "load");
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
