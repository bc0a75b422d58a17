import { isReady } from "../src/api/pod-state.ts";
import { deployments, horizontalPodAutoscalers, pods } from "../src/api/resources.ts";
import { compareOutcomes } from "../src/simulation/scenario-comparison/compare-outcomes.ts";
import type { ScenarioDocument } from "../src/simulation/scenario-files/scenario-document.ts";
import { runScenarioSeeds } from "../src/simulation/scenario-run/run-scenario-seeds.ts";
import { startSimulatedCluster } from "../src/simulation/simulated-cluster.ts";
import type { Measure } from "./measure.ts";

const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const hourMs = 3_600_000;

/** Autoscaling: a day in which load drives a Deployment from 300 Pods to 1,000 and back; two policies over many seeds. */
export async function autoscaling(): Promise<readonly Measure[]> {
  const { took, cpu } = await autoscaledDay();
  return [
    {
      what: "24 simulated hours of a Deployment that an autoscaler keeps between 300 and 1,000 Pods, 100 nodes",
      value: took,
      unit: "ms",
      bar: 3500,
      goal: 2000,
    },
    { what: "the same, CPU time", value: cpu, unit: "ms" },
    {
      what: "a comparison over 100 seeds: an autoscaled hour of up to 20 Pods, with a picker and without, all threads, with progress",
      value: await comparedHour(),
      unit: "ms",
    },
  ];
}

async function autoscaledDay() {
  const cluster = await startSimulatedCluster({ seed: "bench", nodes: 100, recording: "none" });
  const { client } = cluster;
  // Half a core for each Pod: from 300 Pods at night to 1,000 at noon, with noise.
  const load = "cpu: { total: { wave: { low: 150, high: 500, peakAt: 12h } }, noise: 2% }";
  const containers = [{ name: "web", image: "nginx", resources: { requests: { cpu: "1" } } }];
  await client.create(deployments, {
    metadata: { ...web, annotations: { "sim.trimtab.dev/load": load } },
    spec: {
      replicas: 300,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
  await client.create(horizontalPodAutoscalers, {
    metadata: web,
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 100,
      maxReplicas: 1000,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ],
    },
  });
  await cluster.advance(600_000);
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  let most = 0;
  for (let hour = 0; hour < 24; hour++) {
    await cluster.advance(hourMs);
    most = Math.max(most, (await client.list(pods, {})).items.filter(isReady).length);
  }
  const took = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuStart);
  await cluster.stop();
  if (most < 900) throw new Error(`the autoscaler went up to ${most} Pods only`);
  return { took, cpu: (user + system) / 1000 };
}

const seeds = 100;

/** An hour of ups and downs in which a picker keeps busy Pods, or does not. */
function autoscaledHour(name: string, hasPicker: boolean): ScenarioDocument {
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  const target = { type: "AverageValue", averageValue: "10" };
  return {
    name,
    duration: "1h",
    nodes: 3,
    featureGates: { DownscalePodPicker: hasPicker },
    manifests: [
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          replicas: 4,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
          downscalePodPicker: { http: { host: "picker", port: 80 } },
        },
      },
      {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "web" },
        spec: {
          scaleTargetRef,
          minReplicas: 4,
          maxReplicas: 20,
          metrics: [{ type: "Pods", pods: { metric: { name: "tasks" }, target } }],
          behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
        },
      },
    ],
    load: [
      {
        object: "deployment/web",
        metrics: { tasks: { total: { wave: { low: 40, high: 190, period: "30m" } } } },
      },
    ],
    work: [{ selector: "app=web", busyFor: "exp(5m)", idleFor: "exp(10m)" }],
    pickers: [{ host: "picker", answer: "least-busy" }],
  };
}

async function comparedHour(): Promise<number> {
  let reported = 0;
  const outcomesOf = (scenario: ScenarioDocument) =>
    runScenarioSeeds(
      Array.from({ length: seeds }, (_, index) => ({
        scenario,
        seed: index + 1,
        withoutSeries: index > 0,
      })),
      { reported: () => void reported++ },
    );
  const start = performance.now();
  const without = await outcomesOf(autoscaledHour("without", false));
  const { busyPodsRemoved } = compareOutcomes(
    without,
    await outcomesOf(autoscaledHour("with", true)),
  ).measures;
  const took = performance.now() - start;
  if (reported !== 2 * seeds) throw new Error(`${reported} of ${2 * seeds} runs were reported`);
  if ((busyPodsRemoved.difference?.median ?? 0) >= 0) throw new Error("the picker keeps no busy Pods");
  return took;
}
