import { expect, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import type {
  AssertionDocument,
  EventDocument,
  ScenarioDocument,
} from "../scenario-files/scenario-document.ts";
import type { TimeSeries, WorkloadSeries } from "../tracking/time-series.ts";
import { runScenario } from "./run-scenario.ts";

const workload = "deployment/web";

function deployment(spec: JsonObject = {}): JsonObject {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      ...spec,
    },
  };
}

/** Runs a Deployment of four Pods on six nodes for twenty minutes. */
async function run(scenario: Partial<ScenarioDocument>, seed = 1) {
  const { result } = await runScenario(
    { name: "test", duration: "20m", nodes: 6, manifests: [deployment()], ...scenario },
    { seed },
  );
  return result;
}

const cases: readonly {
  readonly name: string;
  readonly assertion: AssertionDocument;
  /** When it fails, in seconds, and how; absent: it passes. */
  readonly want?: readonly [number, string];
}[] = [
  { name: "a limit that is kept", assertion: { pods: { atMost: 8 } } },
  { name: "a limit that is broken", assertion: { pods: { atMost: 4 } }, want: [300, "5 Pods, more than 4"] },
  {
    name: "a limit broken before it counts",
    assertion: { pods: { atMost: 3 }, from: "15m" },
  },
  {
    name: "a limit broken after it counts",
    assertion: { pods: { atMost: 4 }, until: "4m" },
  },
  { name: "a limit broken for a moment", assertion: { pods: { atMost: 4 }, for: "1m" } },
  {
    name: "a limit broken for long",
    assertion: { pods: { atMost: 3 }, from: "1m", for: "1m" },
    want: [60, "4 Pods, more than 3 for 1m"],
  },
  { name: "a number at a time", assertion: { pods: { exactly: 4 }, at: "5m" } },
  {
    name: "a wrong number at the end",
    assertion: { readyPods: { exactly: 4 }, at: "end" },
    want: [1200, "2 ready Pods, not 4"],
  },
  {
    name: "too few Pods",
    assertion: { readyPods: { atLeast: 4 }, from: "1m" },
    want: [300, "3 ready Pods, fewer than 4"],
  },
  { name: "a sum that is reached", assertion: { removedPods: { exactly: 6 } } },
  { name: "a sum from a time on", assertion: { removedPods: { exactly: 2 }, from: "6m" } },
  {
    name: "a sum that is too low",
    assertion: { removedPods: { atLeast: 7 } },
    want: [1200, "6 removed Pods, fewer than 7"],
  },
  {
    name: "a sum that is too high",
    assertion: { removedPods: { atMost: 5 } },
    want: [600, "6 removed Pods, more than 5"],
  },
  { name: "Pod-hours", assertion: { podHours: { atLeast: 0.9, atMost: 1.1 } } },
  {
    name: "a rollout in time",
    assertion: { workload, from: "5m", complete: { within: "1m" } },
  },
  {
    name: "a rollout that is late",
    assertion: { workload, from: "5m", complete: { within: "400ms" } },
    want: [300.4, "not complete after 400ms: 2 of 4 updated, 3 available, 3 old"],
  },
  {
    name: "Pods of other workloads",
    assertion: { selector: "app=other", pods: { atMost: 0 } },
  },
  {
    name: "Pods of other namespaces",
    assertion: { namespace: "kube-system", pods: { atMost: 0 } },
  },
];

test("assertions hold or fail at the moment that shows it", async () => {
  const events: readonly EventDocument[] = [
    { at: "5m", setImage: { workload, image: "web:2" } },
    { at: "10m", scale: { workload, replicas: 2 } },
  ];
  const assertions = cases.map(({ name, assertion }) => ({ name, ...assertion }));
  const result = await run({ events, assertions });
  const outcomes = result.assertions.map(({ name, failure }) => ({
    name,
    want: failure && [failure.atSeconds, failure.message],
  }));
  expect(outcomes).toEqual(cases.map(({ name, want }) => ({ name, want })));
});

test("a failure names the change, the decision and the last event", async () => {
  const { assertions } = await run({
    events: [{ at: "5m", scale: { workload, replicas: 3 } }],
    assertions: [{ workload, activePods: { atLeast: 4 }, from: "1m" }],
  });
  expect(assertions[0]?.failure).toMatchObject({
    atSeconds: 300,
    time: "2026-01-01T00:05:00Z",
    change: expect.stringMatching(/^Pod default\/web-\w+-\w+ is removed$/),
    decision: {
      by: expect.stringMatching(/^ReplicaSet default\/web-/),
      text: expect.stringMatching(/^removes 1 of 4 Pods, web-\w+-\w+ because of \S+: /),
    },
    event: { atSeconds: 300, text: "scale deployment/web to 3" },
  });
});

test.for<{ name: string; event: EventDocument; want: RegExp }>([
  {
    name: "a zone dies, names the ReplicaSets that replaced its Pods",
    event: { at: "5m", down: { zone: "zone-a" } },
    want: /^\d Pods, more than 4; Deployment default\/web: 4 Pods \+ \d terminating exceed 4 replicas \+ maxSurge 0: ReplicaSets have replaced /,
  },
  {
    name: "the Deployment was given more replicas, does not",
    event: { at: "5m", scale: { workload, replicas: 5 } },
    want: /^5 Pods, more than 4$/,
  },
])("a failure beyond the budget of TerminationComplete, when $name", async ({ event, want }) => {
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  const { assertions } = await run({
    manifests: [deployment({ strategy, podReplacementPolicy: "TerminationComplete" })],
    events: [event],
    assertions: [{ workload, pods: { atMost: 4 } }],
  });
  expect(assertions[0]?.failure?.message).toMatch(want);
});

test("an event that the API server refuses fails the run, unless it may", async () => {
  const events: readonly EventDocument[] = [{ at: "1m", delete: { object: "configmap/nope" } }];
  const refused = await run({ events });
  expect(refused).toMatchObject({ passed: false });
  expect(refused.events.at(-1)).toMatchObject({ error: 'configmaps "nope" not found', passed: false });
  expect(await run({ events: events.map((event) => ({ ...event, mayFail: true })) })).toMatchObject({
    passed: true,
  });
});

test("a drain that the API server refuses for good fails the run, unless it may", async () => {
  const budget = (name: string): JsonObject => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: "web" } } },
  });
  const drain: EventDocument = { at: "5m", drain: { zone: "zone-a" } };
  const scenario = (event: EventDocument) => ({
    manifests: [deployment(), budget("a"), budget("b")],
    events: [event],
  });
  const refused = await run(scenario(drain));
  expect(refused).toMatchObject({ passed: false });
  expect(refused.events.filter(({ error }) => error !== undefined)).toMatchObject([
    { text: "drain zone-a", error: expect.stringContaining("more than one PodDisruptionBudget") },
  ]);
  expect(await run(scenario({ ...drain, mayFail: true }))).toMatchObject({ passed: true });
});

test("pickers are data: which Pods are busy, how long an answer takes, and when there is none", async () => {
  const picker = { http: { host: "picker", port: 80 }, timeoutSeconds: 1, maxRetries: 0 };
  const scenario = (more: object): Partial<ScenarioDocument> => ({
    manifests: [deployment({ replicas: 8, downscalePodPicker: picker })],
    work: [{ selector: "app=web", first: 4, tasks: "1..9" }],
    pickers: [{ host: "picker", answer: "least-busy", ...more }],
    events: [{ at: "5m", scale: { workload, replicas: 4 } }],
  });
  const removed = async (more: object) =>
    (await run(scenario(more))).removedPods.map(({ isBusy, reason }) => [isBusy, /picker/.test(reason)]);
  expect(await removed({ delay: "300ms" })).toEqual(Array.from({ length: 4 }, () => [false, true]));
  expect((await removed({ outages: [{ from: "4m" }] })).some(([, byPicker]) => byPicker)).toBe(false);
  expect((await removed({ delay: "5s" })).some(([, byPicker]) => byPicker)).toBe(false);
});

const autoscaler: JsonObject = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "web" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    maxReplicas: 10,
    metrics: [
      {
        type: "Pods",
        pods: { metric: { name: "tasks" }, target: { type: "AverageValue", averageValue: "5" } },
      },
    ],
  },
};

test("load is data: an autoscaler follows its curve, and an event changes it", async () => {
  const steps = (values: readonly number[]) => values.map((value, index) => ({ at: `${index * 5}m`, value }));
  const { assertions, events } = await run({
    manifests: [deployment(), autoscaler],
    load: [{ object: "deploy/web", metrics: { tasks: { total: { steps: steps([20, 40]) } } } }],
    events: [{ at: "15m", load: { object: "deploy/web", metrics: { tasks: { perPod: 10 } } } }],
    assertions: [
      { name: "four Pods have 20 tasks", activePods: { exactly: 4 }, at: "4m" },
      { name: "eight Pods have 40 tasks", activePods: { exactly: 8 }, at: "15m" },
      {
        name: "too many tasks for each: as many Pods as there may be",
        activePods: { exactly: 10 },
        at: "end",
      },
    ],
  });
  expect(assertions.map(({ name, passed }) => [name, passed])).toEqual(
    assertions.map(({ name }) => [name, true]),
  );
  expect(events.map(({ text }) => text)).toContain("load on deploy/web: tasks");
});

test("the series has the load of each workload, as its autoscaler measures it", async () => {
  const queue = {
    type: "External",
    external: { metric: { name: "queued" }, target: { type: "AverageValue", averageValue: "5" } },
  };
  const spec = autoscaler["spec"] as JsonObject;
  const { series } = await run({
    manifests: [
      deployment(),
      { ...autoscaler, spec: { ...spec, metrics: [...(spec["metrics"] as JsonObject[]), queue] } },
    ],
    load: [
      { object: "deploy/web", metrics: { tasks: { total: 20 }, cpu: { perPod: "100m", idle: "50m" } } },
      { object: "hpa/web", metrics: { queued: { total: 7 } } },
    ],
  });
  const { loads, ready, stepSeconds } = {
    ...(series as TimeSeries).workloads["Deployment default/web"],
    stepSeconds: (series as TimeSeries).stepSeconds,
  };
  const last = (ready?.length ?? 0) - 1;
  expect(stepSeconds * last).toBeGreaterThan(0);
  expect(Object.values(loads ?? {}).map((values) => values.length)).toEqual([last + 1, last + 1, last + 1]);
  expect(loads).toMatchObject({
    tasks: expect.arrayContaining([0, 20]),
    queued: expect.arrayContaining([7]),
  });
  expect(loads?.["cpu"]?.[last]).toBeCloseTo((ready?.[last] ?? 0) * 0.15, 3);
});

test("the noise of a load comes from the seed of the run", async () => {
  const scenario: Partial<ScenarioDocument> = {
    manifests: [deployment(), autoscaler],
    load: [{ object: "deploy/web", metrics: { tasks: { total: 25, noise: 1, noiseEvery: "30s" } } }],
  };
  const sizes = async (seed: number) => {
    const { series } = await run(scenario, seed);
    return (series as TimeSeries).workloads["Deployment default/web"]?.desired.join(" ");
  };
  const first = await sizes(1);
  expect(await sizes(1)).toBe(first);
  expect(await sizes(2)).not.toBe(first);
});

test("the result has the series that reports plot, with one number a sample", async () => {
  const result = await run({
    events: [
      { at: "1m", slowTermination: { delay: "20s" } },
      { at: "5m", setImage: { workload, image: "web:2" } },
    ],
  });
  const web = "Deployment default/web";
  expect(result.series).toMatchObject({ samples: 601, stepSeconds: 2, workloads: { [web]: {} } });
  const { zones, loads: _, ...lists } = (result.series as TimeSeries).workloads[web] as WorkloadSeries;
  for (const list of [...Object.values(lists), ...Object.values(zones)]) expect(list).toHaveLength(601);
  expect(Object.keys(zones)).toEqual(["zone-a", "zone-b", "zone-c"]);
  expect([lists.ready[100], lists.budget[100]]).toEqual([4, 5]);
  expect(Math.max(...lists.maxTerminating)).toBeGreaterThan(0);
  expect(result.workloads["Deployment default/web"]).toMatchObject({ removedPods: 4, busyPodsRemoved: 0 });
  expect(result.completions).toEqual([
    { workload: "Deployment default/web", fromSeconds: 0, tookSeconds: 0.5 },
    { workload: "Deployment default/web", fromSeconds: 300, tookSeconds: expect.any(Number) },
  ]);
});

test("a workload that is deleted and created again has two completions", async () => {
  const { completions } = await run({
    events: [
      { at: "5m", delete: { object: workload } },
      { at: "6m", apply: [deployment()] },
    ],
  });
  expect(completions.map(({ fromSeconds }) => fromSeconds)).toEqual([0, 360]);
});

test("nodes fail and return, are cordoned and drained", async () => {
  const { assertions, events } = await run({
    duration: "30m",
    events: [
      { at: "2m", cordon: { node: "node-1" } },
      { at: "3m", drain: { zone: "zone-a" } },
      { at: "5m", uncordon: { zone: "zone-a" } },
      { at: "6m", down: { zone: "zone-b" } },
      { at: "20m", up: { zone: "zone-b" } },
    ],
    assertions: [
      { readyPods: { exactly: 4 }, at: "5m" },
      { readyPods: { atMost: 3 }, at: "8m" },
      { readyPods: { exactly: 4 }, at: "end" },
    ],
  });
  expect(events.map(({ text }) => text).slice(1)).toEqual([
    "cordon node-1",
    "drain zone-a",
    "uncordon zone-a",
    "zone-b fails",
    "zone-b returns",
  ]);
  expect(assertions.map(({ passed }) => passed)).toEqual([true, true, true]);
});

test("the same seed gives the same bytes, another seed others", async () => {
  const scenario: Partial<ScenarioDocument> = {
    work: [{ selector: "app=web", busyFor: "exp(2m)", idleFor: "exp(3m)" }],
    events: [{ at: "5m", every: "2m", times: 3, delete: { selector: "app=web", count: 1, which: "random" } }],
  };
  const first = JSON.stringify(await run(scenario, 7));
  expect(JSON.stringify(await run(scenario, 7))).toBe(first);
  expect(JSON.stringify(await run(scenario, 8))).not.toBe(first);
});
