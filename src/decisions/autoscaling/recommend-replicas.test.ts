import { expect, test } from "vitest";
import type { MetricSpec, MetricTarget } from "../../api/generated/autoscaling-v2.ts";
import { cpu, podsUsing, measured, noMetrics, testTime } from "./autoscaler-fixture.cases.ts";
import type { MetricContext } from "./metric-proposal.ts";
import { proposeReplicas } from "./recommend-replicas.ts";

/** Four Pods, of which the last has just started. 80 are measured of the Service and in the queue. */
const { pods, samples } = measured(...podsUsing(3, 600), { milli: 0, ready: false, phase: "Pending" });
const context: MetricContext = {
  pods,
  metrics: {
    ...noMetrics,
    resource: (name) => (name === "cpu" ? samples : { problem: "not measured" }),
    pods: (name) => (name === "requests" ? samples : { problem: "not measured" }),
    object: ({ name }) => (name === "web" ? { value: 80_000 } : { problem: "not there" }),
    external: (name) => (name === "queue" ? { value: 80_000 } : { problem: "not there" }),
  },
  currentReplicas: 4,
  statusReplicas: 4,
  tolerances: { up: 0.1, down: 0.1 },
  now: testTime,
};

const object = (target: MetricTarget, name = "web"): MetricSpec => ({
  type: "Object",
  object: { describedObject: { kind: "Service", name }, metric: { name: "rps" }, target },
});
const external = (target: MetricTarget, name = "queue"): MetricSpec => ({
  type: "External",
  external: { metric: { name }, target },
});
const container = (target: MetricTarget, name = "cpu"): MetricSpec => ({
  type: "ContainerResource",
  containerResource: { name, container: "app", target },
});
const both = { value: "20", averageValue: "10" };
const neither = "neither a value target nor an average value target was set";

test.for<{ name: string; spec: MetricSpec; want: object }>([
  {
    name: "Utilization goes by what Pods request",
    spec: cpu(20),
    want: {
      replicas: 9,
      metric: "cpu resource utilization (percentage of request)",
      status: { resource: { current: { averageUtilization: 60, averageValue: "600m" } } },
    },
  },
  {
    name: "a container's use is that of the container",
    spec: container({ type: "AverageValue", averageValue: "300m" }),
    want: {
      replicas: 6,
      metric: "cpu resource",
      status: { containerResource: { container: "app", current: { averageValue: "600m" } } },
    },
  },
  {
    name: "a container's share of its request",
    spec: container({ type: "Utilization", averageUtilization: 20 }),
    want: { replicas: 9, metric: "cpu container resource utilization (percentage of request)" },
  },
  {
    name: "a metric of Pods",
    spec: {
      type: "Pods",
      pods: { metric: { name: "requests" }, target: { type: "AverageValue", averageValue: "300m" } },
    },
    want: { replicas: 6, metric: "pods metric requests" },
  },
  {
    name: "an Object's value goes by the ready Pods",
    spec: object({ type: "Value", value: "20" }),
    want: { replicas: 12, status: { object: { current: { value: "80" } } } },
  },
  {
    name: "an Object's average goes by all Pods",
    spec: object({ type: "AverageValue", averageValue: "10" }),
    want: { replicas: 8, status: { object: { current: { averageValue: "20" } } } },
  },
  {
    name: "an Object with both goes by its type: Value",
    spec: object({ type: "Value", ...both }),
    want: { replicas: 12, status: { object: { current: { value: "80" } } } },
  },
  {
    name: "an Object with both goes by its type: AverageValue",
    spec: object({ type: "AverageValue", ...both }),
    want: { replicas: 8, status: { object: { current: { averageValue: "20" } } } },
  },
  {
    name: "an Object whose type has no number has no target",
    spec: object({ type: "Value", averageValue: "10" }),
    want: { reason: "FailedGetObjectMetric", problem: `invalid object metric source: ${neither}` },
  },
  {
    name: "an Object of type Utilization has no target",
    spec: object({ type: "Utilization", ...both }),
    want: { problem: `invalid object metric source: ${neither}` },
  },
  {
    name: "an Object that cannot be measured is named",
    spec: object({ type: "Value", value: "20" }, "gone"),
    want: { problem: "unable to get metric rps: Service on gone: not there" },
  },
  {
    name: "an External metric goes by the number it has, whatever its type says",
    spec: external({ type: "Value", averageValue: "10" }),
    want: { replicas: 8, status: { external: { current: { averageValue: "20" } } } },
  },
  {
    name: "an External value goes by the ready Pods",
    spec: external({ type: "Value", value: "20" }),
    want: { replicas: 12, status: { external: { current: { value: "80" } } } },
  },
  {
    name: "an External metric without a number has no target",
    spec: external({ type: "Value" }),
    want: { reason: "FailedGetExternalMetric", problem: `invalid external metric source: ${neither}` },
  },
  {
    name: "a resource without a number has no target",
    spec: { type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } },
    want: {
      reason: "FailedGetResourceMetric",
      problem:
        "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set",
    },
  },
  {
    name: "an unknown type is said",
    spec: { type: "Moon" },
    want: { reason: "InvalidMetricSourceType", problem: 'unknown metric source type "Moon"' },
  },
])("$name", ({ spec, want }) => {
  expect(proposeReplicas(spec, context)).toMatchObject(want);
});
