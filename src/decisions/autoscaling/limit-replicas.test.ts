import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HPAScalingPolicy, HPAScalingRules } from "../../api/generated/autoscaling-v2.ts";
import { limitReplicas } from "./limit-replicas.ts";
import { stabilise } from "./stabilise.ts";

const now = 10_000_000;
const at = (secondsAgo: number) => now - secondsAgo * 1000;
const nothing = { recommendations: [], changes: [] };
const bounds = { minReplicas: 2, maxReplicas: 50, history: nothing, now };
const pods = (value: number, periodSeconds = 60): HPAScalingPolicy => ({
  type: "Pods",
  value,
  periodSeconds,
});
const percent = (value: number, periodSeconds = 60): HPAScalingPolicy => ({
  type: "Percent",
  value,
  periodSeconds,
});
const rules = (...policies: readonly HPAScalingPolicy[]): HPAScalingRules => ({
  selectPolicy: "Max",
  policies,
});

test.for([
  { name: "takes what is within the bounds", current: 10, wanted: 20, want: [20, "DesiredWithinRange"] },
  { name: "at most doubles", current: 10, wanted: 30, want: [20, "ScaleUpLimit"] },
  { name: "may go to four at once", current: 1, wanted: 9, want: [4, "ScaleUpLimit"] },
  { name: "stays below the most", current: 40, wanted: 70, want: [50, "TooManyReplicas"] },
  { name: "stays above the least, however far that is", current: 40, wanted: 0, want: [2, "TooFewReplicas"] },
])("without a behavior an autoscaler $name", ({ current, wanted, want }) => {
  const { replicas, because } = limitReplicas({ ...bounds, wanted, currentReplicas: current }, undefined);
  expect([replicas, because]).toEqual(want);
});

test.for<{
  name: string;
  current?: number;
  wanted: number;
  up?: HPAScalingRules;
  down?: HPAScalingRules;
  changes?: readonly { readonly at: number; readonly by: number }[];
  want: readonly [number, string];
}>([
  // The documentation: 80 Pods, 4 Pods or 10 % a minute: 8 go, then 7, down to 40, from where 4 go.
  {
    name: "removes a tenth of 80",
    current: 80,
    wanted: 10,
    down: rules(pods(4), percent(10)),
    want: [72, "ScaleDownLimit"],
  },
  {
    name: "removes a tenth of 72",
    current: 72,
    wanted: 10,
    down: rules(pods(4), percent(10)),
    want: [64, "ScaleDownLimit"],
  },
  {
    name: "removes four of 40",
    current: 40,
    wanted: 10,
    down: rules(pods(4), percent(10)),
    want: [36, "ScaleDownLimit"],
  },
  {
    name: "takes the smaller change with Min",
    current: 80,
    wanted: 10,
    down: { ...rules(pods(4), percent(10)), selectPolicy: "Min" },
    want: [76, "ScaleDownLimit"],
  },
  {
    name: "removes nothing where that is disabled",
    wanted: 3,
    down: { ...rules(pods(4)), selectPolicy: "Disabled" },
    want: [10, "ScaleDownLimit"],
  },
  {
    name: "adds nothing where that is disabled",
    wanted: 30,
    up: { ...rules(pods(4)), selectPolicy: "Disabled" },
    want: [10, "ScaleUpLimit"],
  },
  {
    name: "adds the larger of two policies",
    wanted: 30,
    up: rules(pods(4), percent(100)),
    want: [20, "ScaleUpLimit"],
  },
  {
    name: "rounds a share up when it adds",
    current: 3,
    wanted: 9,
    up: rules(percent(10)),
    want: [4, "ScaleUpLimit"],
  },
  {
    name: "counts what it added in the period",
    wanted: 30,
    up: rules(pods(5)),
    changes: [
      { at: at(30), by: 3 },
      { at: at(60), by: 9 },
    ],
    want: [12, "ScaleUpLimit"],
  },
  {
    name: "counts what it removed in the period as if it were still there",
    wanted: 30,
    up: rules(pods(5)),
    changes: [{ at: at(30), by: -3 }],
    want: [18, "ScaleUpLimit"],
  },
  {
    name: "waits when the period is used up",
    wanted: 3,
    down: rules(pods(2)),
    changes: [{ at: at(10), by: -5 }],
    want: [10, "ScaleDownLimit"],
  },
  { name: "stays below the most", wanted: 99, up: rules(percent(900)), want: [50, "TooManyReplicas"] },
  { name: "stays above the least", wanted: 1, down: rules(percent(100)), want: [2, "TooFewReplicas"] },
])("with policies an autoscaler $name", ({ current = 10, wanted, up, down, changes = [], want }) => {
  const behavior = { scaleUp: up ?? rules(percent(1000)), scaleDown: down ?? rules(percent(100)) };
  const history = { ...nothing, changes };
  const maxReplicas = Math.max(50, current);
  const limited = limitReplicas(
    { ...bounds, maxReplicas, wanted, currentReplicas: current, history },
    behavior,
  );
  expect([limited.replicas, limited.because]).toEqual(want);
});

describe("stabilisation", () => {
  const recommendations = [
    { at: at(400), replicas: 90 },
    { at: at(299), replicas: 30 },
    { at: at(20), replicas: 12 },
  ];
  const history = { recommendations, changes: [] };

  test.for([
    {
      name: "keeps the highest of the last five minutes",
      recommended: 5,
      behavior: undefined,
      want: [30, "ScaleDownStabilized"],
    },
    {
      name: "does not hold a scale-up back",
      recommended: 40,
      behavior: undefined,
      want: [40, "as-recommended"],
    },
    {
      name: "is off with a window of zero",
      recommended: 5,
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
      want: [5, "as-recommended"],
    },
    {
      name: "has the length it is told",
      recommended: 5,
      behavior: { scaleDown: { stabilizationWindowSeconds: 30 } },
      want: [12, "ScaleDownStabilized"],
    },
    {
      name: "takes the lowest of a window on the way up",
      recommended: 60,
      behavior: { scaleUp: { stabilizationWindowSeconds: 350 } },
      want: [20, "ScaleUpStabilized"],
    },
  ])("$name", ({ recommended, behavior, want }) => {
    const { replicas, because } = stabilise({ recommended, currentReplicas: 20, history, now }, behavior);
    expect([replicas, because]).toEqual(want);
  });
});

const counts = fc.integer({ min: 0, max: 200 });
const policies = fc.array(
  fc.record({
    type: fc.constantFrom("Pods", "Percent"),
    value: fc.integer({ min: 1, max: 300 }),
    periodSeconds: fc.integer({ min: 1, max: 1800 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const anyRules = fc.record({
  selectPolicy: fc.constantFrom("Max", "Min", "Disabled"),
  policies,
  stabilizationWindowSeconds: fc.integer({ min: 0, max: 3600 }),
});
const behaviors = fc.option(fc.record({ scaleUp: anyRules, scaleDown: anyRules }), { nil: undefined });
const histories = fc.record({
  recommendations: fc.array(fc.record({ at: fc.integer({ min: at(4000), max: now }), replicas: counts }), {
    maxLength: 8,
  }),
  changes: fc.array(
    fc.record({ at: fc.integer({ min: at(2000), max: now }), by: fc.integer({ min: -50, max: 50 }) }),
    { maxLength: 8 },
  ),
});

test("whatever is wanted, the number of Pods stays between the least and the most", () => {
  fc.assert(
    fc.property(
      counts,
      fc.integer({ min: 2, max: 50 }),
      histories,
      behaviors,
      (wanted, currentReplicas, history, behavior) => {
        const { replicas } = limitReplicas({ ...bounds, wanted, currentReplicas, history }, behavior);
        expect(replicas).toBeGreaterThanOrEqual(bounds.minReplicas);
        expect(replicas).toBeLessThanOrEqual(bounds.maxReplicas);
      },
    ),
  );
});

test("stabilisation never goes above the highest nor below the lowest of what was recommended and what is there", () => {
  fc.assert(
    fc.property(counts, counts, histories, behaviors, (recommended, currentReplicas, history, behavior) => {
      const { replicas } = stabilise({ recommended, currentReplicas, history, now }, behavior);
      const seen = [recommended, ...history.recommendations.map((each) => each.replicas)];
      expect(replicas).toBeLessThanOrEqual(Math.max(...seen));
      expect(replicas).toBeGreaterThanOrEqual(Math.min(...seen, currentReplicas));
    }),
  );
});

test("who wants more Pods does not get fewer", () => {
  fc.assert(
    fc.property(
      counts,
      counts,
      fc.integer({ min: 2, max: 50 }),
      histories,
      behaviors,
      (a, b, currentReplicas, history, behavior) => {
        const limited = (wanted: number) =>
          limitReplicas({ ...bounds, wanted, currentReplicas, history }, behavior).replicas;
        expect(limited(Math.max(a, b))).toBeGreaterThanOrEqual(limited(Math.min(a, b)));
      },
    ),
  );
});
