import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../../../api/feature-gates.ts";
import type { HorizontalPodAutoscalerSpec } from "../../../../api/generated/autoscaling-v2.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { horizontalPodAutoscalerStrategy } from "./strategy.ts";

const scaleTargetRef = { kind: "Deployment", name: "web", apiVersion: "apps/v1" };

describe("the defaults of an autoscaler", () => {
  test("fill in both directions of a behavior that has one", () => {
    const behavior = { scaleDown: { selectPolicy: "Disabled" } };
    const spec = { maxReplicas: 3, behavior };
    expect(
      horizontalPodAutoscalerStrategy.defaults?.({ apiVersion: "autoscaling/v2", spec }).spec?.behavior,
    ).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: "Max",
        policies: [
          { type: "Pods", value: 4, periodSeconds: 15 },
          { type: "Percent", value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: {
        selectPolicy: "Disabled",
        policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
      },
    });
  });

  test("are one Pod and 80 % of the processor", () => {
    expect(
      horizontalPodAutoscalerStrategy.defaults?.({ apiVersion: "autoscaling/v2", spec: {} }).spec,
    ).toEqual({
      minReplicas: 1,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
        },
      ],
    });
  });

  test("are without metrics where the API has none", () => {
    expect(
      horizontalPodAutoscalerStrategy.defaults?.({ apiVersion: "autoscaling/v1", spec: {} }).spec,
    ).toEqual({
      minReplicas: 1,
    });
  });
});

test.for<{ name: string; spec: Sent<HorizontalPodAutoscalerSpec>; want: string[] }>([
  { name: "is fine", spec: { scaleTargetRef, maxReplicas: 5 }, want: [] },
  {
    name: "has a most",
    spec: { scaleTargetRef },
    want: [
      "spec.maxReplicas: Required value: must be set and greater than 0",
      "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
    ],
  },
  {
    name: "has no most below its least",
    spec: { scaleTargetRef, minReplicas: 5, maxReplicas: 2 },
    want: ["spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"],
  },
  {
    name: "scales something",
    spec: { maxReplicas: 1 },
    want: [
      "spec.scaleTargetRef.kind: Required value",
      "spec.scaleTargetRef.name: Required value",
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    ],
  },
  {
    name: "may scale a ReplicationController, which has no group",
    spec: {
      scaleTargetRef: { kind: "ReplicationController", name: "web", apiVersion: "v1" },
      maxReplicas: 1,
    },
    want: [],
  },
  {
    name: "names its target by one group and version",
    spec: { scaleTargetRef: { ...scaleTargetRef, apiVersion: "apps/v1/beta" }, maxReplicas: 1 },
    want: [
      'spec.scaleTargetRef.apiVersion: Invalid value: "apps/v1/beta": unexpected GroupVersion string: apps/v1/beta',
    ],
  },
])("an autoscaler $name", ({ spec, want }) => {
  expect(problemsOf(horizontalPodAutoscalerStrategy, { spec })).toEqual(want);
});

const cpu = (target: object) => ({ type: "Resource", resource: { name: "cpu", target } });

test.for<{ name: string; metric: object; want: string[] }>([
  { name: "of CPU utilization", metric: cpu({ type: "Utilization", averageUtilization: 50 }), want: [] },
  {
    name: "without a type",
    metric: {},
    want: [
      "type: Required value: must specify a metric source type",
      'type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
  },
  {
    name: "without its source",
    metric: { type: "Pods" },
    want: ["pods: Required value: must populate information for the given metric source"],
  },
  {
    name: "with the source of another type",
    metric: {
      ...cpu({ type: "Utilization", averageUtilization: 50 }),
      pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "1" } },
    },
    want: ["pods: Forbidden: must populate the given metric source only"],
  },
  {
    name: "without a target",
    metric: cpu({}),
    want: [
      "resource.target.type: Required value: must specify a metric target type",
      'resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
      "resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization",
    ],
  },
  {
    name: "with impossible targets",
    metric: cpu({ type: "Utilization", averageUtilization: 0, averageValue: "-1" }),
    want: [
      'resource.target.averageValue: Invalid value: "-1": must be positive',
      "resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
      "resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
    ],
  },
  {
    name: "of Pods without an average",
    metric: { type: "Pods", pods: { metric: {}, target: { type: "Value", value: "1" } } },
    want: [
      "pods.metric.name: Required value: must specify a metric name",
      "pods.target.averageValue: Required value: must specify a positive target averageValue",
    ],
  },
  {
    name: "of a container without its name",
    metric: {
      type: "ContainerResource",
      containerResource: { target: { type: "Utilization", averageUtilization: 1 } },
    },
    want: [
      "containerResource.name: Required value: must specify a resource name",
      "containerResource.container: Required value: must specify a container",
    ],
  },
  {
    name: "of an object, which may be of the core group",
    metric: {
      type: "Object",
      object: {
        describedObject: { kind: "Service", name: "web", apiVersion: "v1" },
        metric: { name: "rps" },
        target: { type: "Value" },
      },
    },
    want: ["object.target.averageValue: Required value: must set either a target value or averageValue"],
  },
  {
    name: "from outside with two targets",
    metric: {
      type: "External",
      external: { metric: { name: "queue" }, target: { type: "Value", value: "1", averageValue: "1" } },
    },
    want: [
      "external.target.value: Forbidden: may not set both a target value for metric and a per-pod target",
    ],
  },
])("a metric $name", ({ metric, want }) => {
  const spec = { scaleTargetRef, maxReplicas: 5, metrics: [metric] };
  expect(problemsOf(horizontalPodAutoscalerStrategy, { spec })).toEqual(
    want.map((problem) => `spec.metrics[0].${problem}`),
  );
});

test.for<{ name: string; rules: object; want: string[] }>([
  {
    name: "without policies",
    rules: { policies: [] },
    want: ["policies: Required value: must specify at least one Policy"],
  },
  {
    name: "with a window before or beyond time",
    rules: { stabilizationWindowSeconds: 3601, policies: [{ type: "Pods", value: 1, periodSeconds: 1 }] },
    want: ["stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600"],
  },
  {
    name: "with impossible policies",
    rules: {
      stabilizationWindowSeconds: -1,
      selectPolicy: "Mean",
      tolerance: "-0.1",
      policies: [
        { type: "Nodes", value: 0, periodSeconds: 0 },
        { type: "Pods", value: 1, periodSeconds: 1801 },
      ],
    },
    want: [
      "stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero",
      'selectPolicy: Unsupported value: "Mean": supported values: "Disabled", "Max", "Min"',
      'policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"',
      "policies[0].value: Invalid value: 0: must be greater than zero",
      "policies[0].periodSeconds: Invalid value: 0: must be greater than zero",
      "policies[1].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
      'tolerance: Invalid value: "-0.1": must be greater than or equal to 0',
    ],
  },
])("scaling rules $name", ({ rules, want }) => {
  const spec = { scaleTargetRef, maxReplicas: 5, behavior: { scaleUp: rules } };
  expect(problemsOf(horizontalPodAutoscalerStrategy, { spec })).toEqual(
    want.map((problem) => `spec.behavior.scaleUp.${problem}`),
  );
});

test("an update may keep a target reference that is refused at creation", () => {
  const spec = { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas: 5 };
  const context = { gates: defaultFeatureGates, now: 0 };
  expect(horizontalPodAutoscalerStrategy.validate?.({ spec }, context)).toHaveLength(1);
  expect(horizontalPodAutoscalerStrategy.validate?.({ spec }, context, { spec })).toEqual([]);
});
