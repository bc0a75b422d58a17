import { afterEach, expect, test } from "vitest";
import type { FeatureGates } from "../../src/api/feature-gates.ts";
import type { DeploymentSpec } from "../../src/api/generated/apps-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, horizontalPodAutoscalers, pods } from "../../src/api/resources.ts";
import { parseTime } from "../../src/api/time.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { simulatedConnector, type SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { testCluster, type TestCluster } from "../../src/testing/test-cluster.ts";

let cluster: TestCluster;
afterEach(() => cluster.stop());

const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const hour = 3_600_000;

interface Day {
  /** How long from one night to the next. */
  readonly period: string;
  readonly picker?: SimulatedPicker;
  readonly spec?: Partial<DeploymentSpec>;
  readonly gates?: Partial<FeatureGates>;
}

/** Half a core for each Pod: 10 Pods at night, 100 at the peak. */
async function startDay({ period, picker, spec, gates = {} }: Day): Promise<void> {
  const known = new Map(picker === undefined ? [] : [["picker", picker]]);
  cluster = await testCluster({
    nodes: 10,
    gates,
    clock: new VirtualClock(parseTime("2026-01-01T00:00:00Z")),
    pickerConnector: ({ clock }) => simulatedConnector(known, clock),
  });
  const load = `cpu: { total: { wave: { low: 5, high: 50, period: ${period} } }, noise: 1% }`;
  const annotations = { "sim.trimtab.dev/terminationDelay": "20s..60s" };
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu: "1" } } }];
  await cluster.client.create(deployments, {
    metadata: {
      ...web,
      annotations: { "sim.trimtab.dev/load": load, "trimtab.dev/protection-limit": "8h" },
    },
    spec: {
      replicas: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers, terminationGracePeriodSeconds: 120 },
      },
      ...(picker !== undefined && { downscalePodPicker: { http: { host: "picker", port: 80 } } }),
      ...spec,
    },
  });
  await cluster.client.create(horizontalPodAutoscalers, {
    metadata: web,
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 10,
      maxReplicas: 100,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ],
    },
  });
}

const allPods = async () => (await cluster.client.list(pods, {})).items;
const activeNames = async () => (await allPods()).filter(isActive).map(({ metadata }) => metadata.name);

/** The Pods that work on something at the peak of a short day, and those of them that its evening leaves. */
async function busyThroughTheEvening(
  picked: boolean,
): Promise<{ readonly busy: number; readonly left: number }> {
  const busy = new Set<string>();
  const sparing: SimulatedPicker = {
    latencyMs: 100,
    pick: ({ requested, candidates }) => ({
      chosen_pods: candidates.filter((name) => !busy.has(name)).slice(0, requested),
    }),
  };
  await startDay({ period: "4h", ...(picked && { picker: sparing }) });
  await cluster.clock.advance(2 * hour);
  const atPeak = await activeNames();
  expect(atPeak.length).toBeGreaterThan(90);
  for (const name of atPeak.toSorted().slice(0, 8)) busy.add(name);
  await cluster.clock.advance(2 * hour + hour / 4);
  const left = await activeNames();
  expect(left.length).toBeLessThan(20);
  return { busy: busy.size, left: left.filter((name) => busy.has(name)).length };
}

/** Rolls a new image out while 100 Pods are asked for: at most a quarter more exist, those that terminate included. */
async function rollOutAtThePeak(): Promise<void> {
  const operations = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: "app:2" }];
  await cluster.client.patch(deployments, web, { type: "json", operations });
  for (let minute = 0; minute < 20; minute++) {
    await cluster.clock.advance(60_000);
    const { spec } = await cluster.client.get(deployments, web);
    expect((await allPods()).length).toBeLessThanOrEqual(Math.ceil((spec.replicas ?? 0) * 1.25));
  }
}

test(
  "a pod picker keeps busy Pods through the evening of an autoscaled day",
  { timeout: 120_000 },
  async () => {
    expect(await busyThroughTheEvening(true)).toEqual({ busy: 8, left: 8 });
  },
);

test(
  "an evening waits for the Pods that the picker protects, and the autoscaler asks for no others meanwhile",
  { timeout: 240_000 },
  async () => {
    const busy = new Set<string>();
    const picker: SimulatedPicker = {
      pick: ({ requested, candidates }) => ({
        chosen_pods: candidates.filter((name) => !busy.has(name)).slice(0, requested),
        protected_pods: candidates.filter((name) => busy.has(name)),
      }),
    };
    await startDay({ period: "4h", picker, gates: { PodRemovalProtection: true } });
    const { client, clock } = cluster;
    await clock.advance(2 * hour);
    const atPeak = await activeNames();
    for (const name of atPeak.toSorted().slice(0, 40)) busy.add(name);
    await clock.advance(2 * hour);
    expect((await client.get(deployments, web)).spec.replicas).toBeLessThan(20);
    expect((await activeNames()).toSorted()).toEqual([...busy]);
    busy.clear();
    await clock.advance(2 * 60_000);
    expect((await activeNames()).length).toBeLessThan(20);
  },
);

test("without a pod picker the evening takes busy Pods, too", { timeout: 120_000 }, async () => {
  const { busy, left } = await busyThroughTheEvening(false);
  expect(left).toBeLessThan(busy);
});

test(
  "a day drives a Deployment from 10 Pods to 100 and back, and TerminationComplete holds while it is rolled out",
  { timeout: 240_000 },
  async () => {
    await startDay({ period: "8h", spec: { podReplacementPolicy: "TerminationComplete" } });
    const sizes: number[] = [];
    for (let at = 0; at < 16; at++) {
      if (at === 8) await rollOutAtThePeak();
      await cluster.clock.advance(hour / 2);
      sizes.push((await activeNames()).length);
    }
    expect(Math.max(...sizes)).toBeGreaterThan(95);
    expect(sizes.indexOf(Math.max(...sizes))).toBeGreaterThanOrEqual(6);
    expect(sizes.at(-1)).toBeLessThan(15);
    const { status } = await cluster.client.get(horizontalPodAutoscalers, web);
    expect(status?.conditions?.find(({ type }) => type === "ScalingActive")).toMatchObject({
      status: "True",
    });
    const images = new Set((await allPods()).map(({ spec }) => spec.containers[0]?.image));
    expect([...images]).toEqual(["app:2"]);
  },
);
