import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MetricSpec } from "../../api/generated/autoscaling-v2.ts";
import { formatTime } from "../../api/time.ts";
import { afterFailedRescale, afterRescale } from "./after-rescale.ts";
import {
  autoscaler,
  cpu,
  podsUsing,
  measured,
  noMetrics,
  testTime,
  stateOf,
} from "./autoscaler-fixture.cases.ts";
import type { AutoscalerState, AutoscalingPlan } from "./autoscaling-plan.ts";
import { planAutoscaling } from "./plan-autoscaling.ts";

const conditionsOf = ({ status }: AutoscalingPlan) =>
  Object.fromEntries(
    (status.conditions ?? []).map(({ type, status: is, reason }) => [type, `${is} ${reason}`]),
  );

const scale = (currentReplicas: number) =>
  ({
    kind: "scale",
    currentReplicas,
    statusReplicas: currentReplicas,
    selected: { kind: "pods", pods: [] },
  }) as const;

test.for<{ name: string; state: AutoscalerState; want: object; conditions: object }>([
  {
    name: "asks for more Pods, and names the metric",
    state: stateOf(measured(...podsUsing(2, 900))),
    want: {
      rescale: { from: 2, to: 4, reason: "cpu resource utilization (percentage of request) above target" },
    },
    conditions: {
      AbleToScale: "True ReadyForNewScale",
      ScalingActive: "True ValidMetricFound",
      ScalingLimited: "False DesiredWithinRange",
    },
  },
  {
    name: "waits before it asks for fewer",
    state: stateOf(measured(...podsUsing(8, 100))),
    want: { rescale: undefined, because: { recommended: 2, stabilised: { because: "ScaleDownStabilized" } } },
    conditions: {
      AbleToScale: "True ScaleDownStabilized",
      ScalingActive: "True ValidMetricFound",
      ScalingLimited: "False DesiredWithinRange",
    },
  },
  {
    name: "goes back to what it asked for recently, without a reason of its own",
    state: stateOf(measured(...podsUsing(2, 500)), {
      history: { recommendations: [{ at: testTime - 60_000, replicas: 4 }], changes: [] },
    }),
    want: { rescale: { from: 2, to: 4, reason: "" }, because: { recommended: 2 } },
    conditions: {
      AbleToScale: "True ScaleDownStabilized",
      ScalingActive: "True ValidMetricFound",
      ScalingLimited: "False DesiredWithinRange",
    },
  },
  {
    name: "is limited by the most",
    state: stateOf(measured(...podsUsing(4, 1000)), { spec: { maxReplicas: 5 } }),
    want: { rescale: { to: 5 }, because: { limited: "TooManyReplicas" } },
    conditions: {
      AbleToScale: "True ReadyForNewScale",
      ScalingActive: "True ValidMetricFound",
      ScalingLimited: "True TooManyReplicas",
    },
  },
  {
    name: "brings a target down to the most without looking at metrics",
    state: stateOf(measured(), { target: scale(9), spec: { maxReplicas: 5 } }),
    want: { rescale: { to: 5, reason: "Current number of replicas above Spec.MaxReplicas" } },
    conditions: { AbleToScale: "True SucceededGetScale" },
  },
  {
    name: "brings a target up to the least",
    state: stateOf(measured(), { target: scale(1), spec: { minReplicas: 3 } }),
    want: { rescale: { to: 3, reason: "Current number of replicas below Spec.MinReplicas" } },
    conditions: { AbleToScale: "True SucceededGetScale" },
  },
  {
    name: "leaves a target at zero",
    state: stateOf(measured(), { target: scale(0) }),
    want: { rescale: undefined, because: { rule: "target-is-zero" } },
    conditions: { AbleToScale: "True SucceededGetScale", ScalingActive: "False ScalingDisabled" },
  },
  {
    name: "cannot do without a Scale",
    state: stateOf(measured(), { target: { kind: "failed", problem: "not there" } }),
    want: {
      rescale: undefined,
      notices: [{ type: "Warning", reason: "FailedGetScale", message: "not there" }],
    },
    conditions: { AbleToScale: "False FailedGetScale" },
  },
  {
    name: "cannot do without a selector",
    state: stateOf(measured(), { target: { ...scale(2), selected: { kind: "no-selector" } } }),
    want: { notices: [{ reason: "SelectorRequired" }, { reason: "FailedComputeMetricsReplicas" }] },
    conditions: { AbleToScale: "True SucceededGetScale", ScalingActive: "False InvalidSelector" },
  },
  {
    name: "does not share Pods",
    state: stateOf(measured(), {
      target: {
        ...scale(2),
        selected: { kind: "ambiguous", selector: "app=web", autoscalers: ["a/b", "a/c"] },
      },
    }),
    want: {
      notices: [
        { message: "pods by selector app=web are controlled by multiple HPAs: [a/b a/c]" },
        { reason: "FailedComputeMetricsReplicas" },
      ],
    },
    conditions: { AbleToScale: "True SucceededGetScale", ScalingActive: "False AmbiguousSelector" },
  },
  {
    name: "says which metric failed, and how many",
    state: stateOf(measured(...podsUsing(2, 900)), { metrics: noMetrics }),
    want: {
      rescale: undefined,
      notices: [
        {
          reason: "FailedGetResourceMetric",
          message: "failed to get cpu utilization: unable to get metrics for resource cpu: not measured",
        },
        {
          reason: "FailedComputeMetricsReplicas",
          message:
            "invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: " +
            "failed to get cpu utilization: unable to get metrics for resource cpu: not measured",
        },
      ],
    },
    conditions: { AbleToScale: "True SucceededGetScale", ScalingActive: "False FailedGetResourceMetric" },
  },
])("an autoscaler $name", ({ state, want, conditions }) => {
  const plan = planAutoscaling(state);
  expect({ rescale: undefined, ...plan }).toMatchObject(want);
  expect(conditionsOf(plan)).toEqual(conditions);
});

describe("of several metrics", () => {
  const queue = (averageValue: string): MetricSpec => ({
    type: "External",
    external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue } },
  });
  const state = (milli: number, queued: number | undefined) => {
    const pods = measured(...podsUsing(4, milli));
    const external = () => (queued === undefined ? { problem: "no queue" } : { value: queued * 1000 });
    const metrics = { ...noMetrics, resource: () => pods.samples, external };
    return stateOf(pods, { metrics, spec: { metrics: [cpu(50), queue("10")] } });
  };

  test("the one that asks for the most Pods counts", () => {
    expect(planAutoscaling(state(600, 80)).rescale).toMatchObject({
      to: 8,
      reason: "external metric queue above target",
    });
    expect(planAutoscaling(state(900, 60)).rescale).toMatchObject({ to: 8 });
  });

  test("one that fails lets a scale-up by the other pass, with an event", () => {
    const { rescale, notices } = planAutoscaling(state(900, undefined));
    expect(rescale?.to).toBe(8);
    expect(notices.map(({ reason }) => reason)).toEqual(["FailedGetExternalMetric"]);
  });

  test("one that fails holds a scale-down back", () => {
    const plan = planAutoscaling(state(100, undefined));
    expect(plan.because.rule).toBe("metrics-failed");
    expect(conditionsOf(plan)).toMatchObject({ ScalingActive: "False FailedGetExternalMetric" });
  });
});

test("a rescale is told in the status, in an event, and remembered where policies count it", () => {
  const behavior = { scaleUp: {}, scaleDown: {} };
  const state = stateOf(measured(), { target: scale(1), spec: { minReplicas: 3, behavior } });
  const plan = planAutoscaling(state);
  const rescale = { from: 1, to: 3, reason: "why" };
  const done = afterRescale(plan, rescale, state);
  expect(done.status).toMatchObject({
    currentReplicas: 1,
    desiredReplicas: 3,
    lastScaleTime: formatTime(testTime),
  });
  expect(conditionsOf(done)).toEqual({ AbleToScale: "True SucceededRescale" });
  expect(done.notices).toEqual([
    { type: "Normal", reason: "SuccessfulRescale", message: "New size: 3; reason: why" },
  ]);
  expect(done.history?.changes).toEqual([{ at: testTime, by: 2 }]);
  const failed = afterFailedRescale(plan, rescale, { ...state, problem: "refused" });
  expect(failed.status).toMatchObject({ desiredReplicas: 0 });
  expect(conditionsOf(failed)).toEqual({ AbleToScale: "False FailedUpdateScale" });
  expect(failed.notices[0]?.message).toBe("New size: 3; reason: why; error: refused");
});

test("a condition keeps its time while its status stays", () => {
  const first = planAutoscaling(stateOf(measured(...podsUsing(2, 500))));
  const before = { ...autoscaler(), status: first.status };
  const later = planAutoscaling(
    stateOf(measured(...podsUsing(2, 900)), { autoscaler: before, now: testTime + 60_000 }),
  );
  expect(later.status.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
    first.status.conditions?.map(({ lastTransitionTime }) => lastTransitionTime),
  );
});

test("whatever Pods use, they are kept between the least and the most, and a higher use asks for no fewer", () => {
  const uses = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(uses, fc.integer({ min: 0, max: 2000 }), (values, more) => {
      const sizeFor = (milli: readonly number[]) => {
        const pods = measured(...milli.map((value) => ({ milli: value })));
        const state = stateOf(pods, {
          spec: { minReplicas: 2, maxReplicas: 20 },
          history: { recommendations: [], changes: [] },
        });
        return planAutoscaling(state).rescale?.to ?? milli.length;
      };
      const size = sizeFor(values);
      expect(size).toBeGreaterThanOrEqual(2);
      expect(size).toBeLessThanOrEqual(20);
      expect(sizeFor(values.map((value) => value + more))).toBeGreaterThanOrEqual(size);
    }),
  );
});
