import { seededRandom } from "../src/machinery/random/random.ts";
import type { ScenarioDocument } from "../src/simulation/scenario-files/scenario-document.ts";
import { runScenarioSeeds } from "../src/simulation/scenario-run/run-scenario-seeds.ts";
import { runScenario } from "../src/simulation/scenario-run/run-scenario.ts";
import type { Measure } from "./measure.ts";

/** Scenarios: how fast a day of many Pods passes with its assertions, and how many seeds of a small rollout run a second. */
export async function simulate(): Promise<readonly Measure[]> {
  return [
    {
      what: "24 simulated hours of a scenario: up to 1,000 Pods scaled every 5 minutes, 100 nodes, 5 assertions",
      value: await busyDay(),
      unit: "ms",
      bar: 10_000,
      goal: 3000,
    },
    { what: "1,000 seeds of a rollout of 6 Pods, all threads", value: await smallRollouts(), unit: "ms" },
  ];
}

const dayMs = 24 * 3_600_000;
const intervalMs = 5 * 60_000;

function deployment(replicas: number) {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

/** Yields a daily curve with noise: most Pods at noon, fewest at night. */
function* demands(): Generator<number> {
  const random = seededRandom("demand");
  for (let at = intervalMs; at < dayMs; at += intervalMs) {
    const daylight = (1 - Math.cos((2 * Math.PI * at) / dayMs)) / 2;
    yield Math.round(300 + 680 * daylight + 20 * random.next());
  }
}

const workload = "deployment/web";

async function busyDay(): Promise<number> {
  const scenario: ScenarioDocument = {
    name: "day",
    duration: "24h",
    nodes: 100,
    manifests: [deployment(300)],
    work: [{ selector: "app=web", busyFor: "exp(10m)", idleFor: "exp(20m)" }],
    events: Array.from(demands(), (replicas, index) => ({
      at: `${(index + 1) * 5}m`,
      scale: { workload, replicas },
    })),
    assertions: [
      { workload, pods: { atMost: 1100 } },
      { workload, readyPods: { atLeast: 250 }, from: "5m" },
      { workload, zoneSkew: { atMost: 200 } },
      { workload, podHours: { atMost: 24_000 } },
      { workload, pendingPods: { exactly: 0 }, at: "end" },
    ],
  };
  const start = performance.now();
  const { result } = await runScenario(scenario, { seed: 1 });
  const took = performance.now() - start;
  const failed = result.assertions.filter(({ passed }) => !passed);
  if (!result.passed) throw new Error(`the day fails: ${JSON.stringify(failed)}`);
  return took;
}

async function smallRollouts(): Promise<number> {
  const scenario: ScenarioDocument = {
    name: "rollout",
    duration: "10m",
    nodes: 6,
    manifests: [deployment(6)],
    events: [{ at: "5m", setImage: { workload, image: "web:2" } }],
    assertions: [
      { workload, from: "5m", complete: { within: "1m" } },
      { workload, readyPods: { atLeast: 4 }, from: "1m" },
    ],
  };
  const tasks = Array.from({ length: 1000 }, (_, seed) => ({ scenario, seed, withoutSeries: true }));
  const start = performance.now();
  const outcomes = await runScenarioSeeds(tasks);
  const took = performance.now() - start;
  if (outcomes.length !== 1000 || outcomes.some((outcome) => !outcome.ok || !outcome.result.passed))
    throw new Error("a rollout fails");
  return took;
}
