import { afterEach, describe, expect, test } from "vitest";
import type { HorizontalPodAutoscalerSpec, MetricSpec } from "../../api/generated/autoscaling-v2.ts";
import { deployments, events, horizontalPodAutoscalers, services } from "../../api/resources.ts";
import { parseTime } from "../../api/time.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { testCluster, type TestCluster } from "../../testing/test-cluster.ts";

let cluster: TestCluster;
afterEach(() => cluster.stop());

const minute = 60_000;
const hour = 60 * minute;
const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

interface Story {
  readonly load: string;
  readonly replicas?: number;
  readonly template?: object;
  readonly autoscaler?: Partial<HorizontalPodAutoscalerSpec>;
  readonly autoscalerLoad?: string;
  readonly requests?: Readonly<Record<string, string>>;
}

const cpu = (averageUtilization: number): MetricSpec => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});

async function start(story: Story): Promise<void> {
  const { load, replicas = 1, autoscaler, autoscalerLoad, requests = { cpu: "1" } } = story;
  cluster = await testCluster({ nodes: 5, clock: new VirtualClock(parseTime("2026-01-01T00:00:00Z")) });
  const annotations = { "sim.trimtab.dev/load": load };
  const containers = [{ name: "app", image: "app:1", resources: { requests } }];
  await cluster.client.create(deployments, {
    metadata: { ...web, annotations },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...story.template }, spec: { containers } },
    },
  });
  await cluster.client.create(horizontalPodAutoscalers, {
    metadata: {
      ...web,
      ...(autoscalerLoad !== undefined && { annotations: { "sim.trimtab.dev/load": autoscalerLoad } }),
    },
    spec: { scaleTargetRef, maxReplicas: 10, metrics: [cpu(50)], ...autoscaler },
  });
}

const size = async () => (await cluster.client.get(deployments, web)).spec.replicas;
const status = async () => (await cluster.client.get(horizontalPodAutoscalers, web)).status;
const condition = async (type: string) => (await status())?.conditions?.find((each) => each.type === type);
const eventTexts = async (reason: string) =>
  (await cluster.client.list(events, {})).items
    .filter((event) => event.reason === reason)
    .map(({ message }) => message);

test("a Deployment gets as many Pods as its load needs, and loses them five minutes after the load", async () => {
  // 3 cores at half a core each are 6 Pods; 0.8 are 2.
  await start({ load: "cpu: { total: { steps: [{ at: 0s, value: 3 }, { at: 20m, value: 800m }] } }" });
  await cluster.clock.advance(14_000);
  expect(await status()).toEqual({ desiredReplicas: 0 });
  await cluster.clock.advance(10 * minute);
  expect(await size()).toBe(6);
  expect(await status()).toMatchObject({
    currentReplicas: 6,
    desiredReplicas: 6,
    currentMetrics: [
      {
        type: "Resource",
        resource: { name: "cpu", current: { averageUtilization: 50, averageValue: "500m" } },
      },
    ],
    conditions: [
      { type: "AbleToScale", status: "True", reason: "ReadyForNewScale" },
      { type: "ScalingActive", status: "True", reason: "ValidMetricFound" },
      { type: "ScalingLimited", status: "False", reason: "DesiredWithinRange" },
    ],
  });
  await cluster.clock.advance(14 * minute);
  expect(await size()).toBe(6);
  expect(await condition("AbleToScale")).toMatchObject({ reason: "ScaleDownStabilized" });
  await cluster.clock.advance(2 * minute);
  expect(await size()).toBe(2);
  expect(await eventTexts("SuccessfulRescale")).toEqual([
    "New size: 4; reason: cpu resource utilization (percentage of request) above target",
    "New size: 6; reason: cpu resource utilization (percentage of request) above target",
    "New size: 2; reason: All metrics below target",
  ]);
});

test("a wave drives the Pods up and down between the bounds", async () => {
  await start({
    load: "cpu: { total: { wave: { low: 100m, high: 6, period: 2h, peakAt: 1h } } }",
    autoscaler: { minReplicas: 2, maxReplicas: 10 },
  });
  const sizes: (number | undefined)[] = [];
  for (let at = 0; at < 8; at++) {
    await cluster.clock.advance(hour / 4);
    sizes.push(await size());
  }
  expect(sizes).toEqual([2, 6, 10, 10, 10, 8, 4, 2]);
});

describe("an autoscaler says why it does nothing", () => {
  test("without requests there is nothing to take a share of", async () => {
    await start({ load: "cpu: { total: 3 }", requests: {} });
    await cluster.clock.advance(minute);
    expect(await condition("ScalingActive")).toMatchObject({
      status: "False",
      reason: "FailedGetResourceMetric",
      message: expect.stringMatching(
        /^the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container app of Pod web-/,
      ),
    });
    expect(await eventTexts("FailedComputeMetricsReplicas")).not.toEqual([]);
  });

  test("a load that cannot be read is named with its path, at the workload and at the autoscaler", async () => {
    await start({ load: "cpu: { total: { wave: { low: 3, high: 2 } } }" });
    await cluster.clock.advance(minute);
    const problem = "cpu.total.wave.low: Invalid value: 3: must not be above high";
    expect(await eventTexts("InvalidSimulation")).toEqual([`sim.trimtab.dev/load ${problem}`]);
    expect(await condition("ScalingActive")).toMatchObject({
      status: "False",
      message: expect.stringContaining(`Deployment default/web is invalid: ${problem}`),
    });
    expect(await size()).toBe(1);
  });

  test("a target that does not exist", async () => {
    await start({ load: "{}", autoscaler: { scaleTargetRef: { ...scaleTargetRef, name: "shop" } } });
    await cluster.clock.advance(minute);
    expect(await condition("AbleToScale")).toMatchObject({
      status: "False",
      reason: "FailedGetScale",
      message:
        'the HPA controller was unable to get the target\'s current scale: deployments.apps "shop" not found',
    });
  });

  test("a target without Pods on purpose", async () => {
    await start({ load: "cpu: { total: 3 }", replicas: 0 });
    await cluster.clock.advance(minute);
    expect(await condition("ScalingActive")).toMatchObject({ status: "False", reason: "ScalingDisabled" });
    expect(await size()).toBe(0);
  });

  test("two autoscalers of the same Pods", async () => {
    await start({ load: "cpu: { total: 3 }" });
    await cluster.client.create(horizontalPodAutoscalers, {
      metadata: { ...web, name: "rival" },
      spec: { scaleTargetRef, maxReplicas: 5 },
    });
    await cluster.clock.advance(minute);
    expect(await condition("ScalingActive")).toMatchObject({ reason: "AmbiguousSelector" });
  });
});

test.for<{ name: string; metric: MetricSpec; load?: string; own?: string; want: number }>([
  {
    name: "the Pods' own metric",
    load: "rps: { total: 400 }",
    metric: {
      type: "Pods",
      pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "100" } },
    },
    want: 4,
  },
  {
    name: "memory of one container",
    load: "memory: { total: 3Gi, container: app }",
    metric: {
      type: "ContainerResource",
      containerResource: {
        name: "memory",
        container: "app",
        target: { type: "AverageValue", averageValue: "1Gi" },
      },
    },
    want: 3,
  },
  {
    name: "an external metric, which the autoscaler is annotated with",
    own: "queue: { total: 70 }",
    metric: {
      type: "External",
      external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "10" } },
    },
    want: 7,
  },
  {
    name: "a metric of another object",
    metric: {
      type: "Object",
      object: {
        describedObject: { apiVersion: "v1", kind: "Service", name: "web" },
        metric: { name: "rps" },
        target: { type: "AverageValue", averageValue: "20" },
      },
    },
    want: 5,
  },
])("a Deployment is scaled by $name", async ({ metric, load = "{}", own = "{}", want }) => {
  await start({ load, autoscalerLoad: own, autoscaler: { metrics: [metric] } });
  const annotations = { "sim.trimtab.dev/load": "rps: { total: 100 }" };
  await cluster.client.create(services, {
    metadata: { ...web, annotations },
    spec: { selector: labels, ports: [{ port: 80 }] },
  });
  await cluster.clock.advance(5 * minute);
  expect(await size()).toBe(want);
});

test("the load of a Pod template is that of each Pod", async () => {
  await start({
    load: "{}",
    template: { annotations: { "sim.trimtab.dev/load": "cpu: { perPod: 100m }" } },
    replicas: 3,
  });
  await cluster.clock.advance(10 * minute);
  expect(await size()).toBe(1);
});

test("a cluster without autoscalers is left alone", async () => {
  cluster = await testCluster({ observed: ["horizontal-pod-autoscaler"] });
  const before = cluster.observed.requests.length;
  await cluster.clock.advance(10 * minute);
  expect(cluster.observed.requests).toHaveLength(before);
});
