import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { TopologySpreadConstraint } from "../src/api/generated/core-v1.ts";
import { zoneLabel } from "../src/api/well-known.ts";
import { type Measure, percentile } from "./measure.ts";
import { runWorkload, type Workload } from "./scheduler-workload.ts";

const blue = { color: "blue" };
const zoneSpread = (whenUnsatisfiable: string): TopologySpreadConstraint => ({
  maxSkew: 5,
  topologyKey: zoneLabel,
  whenUnsatisfiable,
  labelSelector: { matchLabels: blue },
});
const hardSpread: Workload = {
  nodes: 5000,
  initPods: 0,
  pods: 5000,
  labels: blue,
  spec: { topologySpreadConstraints: [zoneSpread("DoNotSchedule")] },
};

/** Placing many Pods, from their creation to their binding, in process and in virtual time. */
export async function scheduler(): Promise<readonly Measure[]> {
  const what = "scheduling 5,000 Pods on 5,000 nodes, hard zone spread";
  const recorded = await runWorkload(hardSpread);
  const unrecorded = await runWorkload({ ...hardSpread, records: false });
  // Once more: the first run is the one that everything is compiled in, and would be compared with a compiled one.
  const recordedAgain = await runWorkload(hardSpread);
  return [
    { what, value: recorded.perSecond, unit: "per s", bar: 1500, goal: 5000 },
    { what: "the same, CPU time per Pod", value: recorded.cpuPerPod, unit: "µs" },
    { what: `${what}, without records of placements`, value: unrecorded.perSecond, unit: "per s" },
    { what: "the same, CPU time per Pod", value: unrecorded.cpuPerPod, unit: "µs" },
    { what: `${what}, with records again, compiled now`, value: recordedAgain.perSecond, unit: "per s" },
    { what: "the same, CPU time per Pod", value: recordedAgain.cpuPerPod, unit: "µs" },
  ];
}

const gateOff = { ...defaultFeatureGates, DefaultPodTopologySpread: false };
const hostSpread: TopologySpreadConstraint = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: "DoNotSchedule",
  nodeAffinityPolicy: "Honor",
  nodeTaintsPolicy: "Honor",
  labelSelector: { matchLabels: { foo: "bar" } },
};

/** The topology workloads of upstream's scheduler_perf at their sizes, and the baseline without any constraint. */
const workloads: Readonly<Record<string, Workload>> = {
  TopologySpreading: { ...hardSpread, initPods: 5000, pods: 2000 },
  PreferredTopologySpreading: {
    ...hardSpread,
    initPods: 5000,
    pods: 2000,
    spec: { topologySpreadConstraints: [zoneSpread("ScheduleAnyway")] },
  },
  DefaultTopologySpreading: {
    nodes: 5000,
    initPods: 5000,
    pods: 10_000,
    labels: { app: "scheduler-perf" },
    spec: { containers: [{ name: "pause", image: "registry.example/pause:3" }] },
    withService: true,
  },
  SchedulingWithNodeInclusionPolicy: {
    nodes: 5000,
    tainted: 1000,
    initPods: 0,
    pods: 4000,
    labels: { foo: "bar" },
    spec: { topologySpreadConstraints: [hostSpread] },
  },
  SchedulingBasic: { nodes: 5000, initPods: 1000, pods: 10_000 },
};
/** What Kubernetes reaches through etcd on this kind of machine, and what is wanted of us. */
const rates: Readonly<Record<string, Pick<Measure, "kubernetes" | "bar" | "goal">>> = Object.fromEntries(
  Object.entries({
    TopologySpreading: 85,
    PreferredTopologySpreading: 72,
    DefaultTopologySpreading: 82,
    SchedulingWithNodeInclusionPolicy: 63,
  }).map(([name, kubernetes]) => [name, { kubernetes, bar: 2500, goal: 5000 }]),
);

const compared: Readonly<Record<string, Workload>> = {
  ...workloads,
  ...Object.fromEntries(
    ["DefaultTopologySpreading", "SchedulingBasic"].flatMap((name) => {
      const workload = workloads[name];
      return workload === undefined ? [] : [[`${name}, SelectorSpread`, { ...workload, gates: gateOff }]];
    }),
  ),
};

/** Pods per second and the percentiles of extension points of each workload. */
export async function schedulerPerf(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const [name, workload] of Object.entries(compared)) {
    const { perSecond, cpuPerPod, points } = await runWorkload(workload);
    measures.push({ what: name, value: perSecond, unit: "per s", ...rates[name] });
    measures.push({ what: `${name}: CPU time per Pod`, value: cpuPerPod, unit: "µs" });
    for (const point of ["PreFilter", "Filter", "PreScore", "Score"]) {
      const durations = points.get(point) ?? [];
      if (durations.length === 0) continue;
      for (const share of [0.5, 0.9, 0.95, 0.99])
        measures.push({
          what: `${name}: ${point}, p${share * 100}`,
          value: 1000 * percentile(durations, share),
          unit: "µs",
        });
    }
  }
  return [...measures, ...(await spreadObjective())];
}

/**
 * KEP-1258's objective for 100 nodes, PreScore and Score together below 15 ms (p95) and 60 ms (p99), and the histogram of
 * all attempts.
 */
async function spreadObjective(): Promise<readonly Measure[]> {
  const workload = workloads["DefaultTopologySpreading"];
  if (workload === undefined) return [];
  const { points } = await runWorkload({ ...workload, nodes: 100, initPods: 1000, pods: 2000 });
  const scoring = points.get("Score") ?? [];
  const both = (points.get("PreScore") ?? []).map((preScore, index) => preScore + (scoring[index] ?? 0));
  const bars = { 0.5: undefined, 0.95: 15, 0.99: 60 };
  const what = "default spread on 100 nodes: PreScore + Score";
  const shareWithin = (ms: number): number => both.filter((each) => each <= ms).length / both.length;
  return [
    ...Object.entries(bars).map(([share, bar]): Measure => ({
      what: `${what}, p${Number(share) * 100}`,
      value: percentile(both, Number(share)),
      unit: "ms",
      ...(bar !== undefined && { bar }),
    })),
    ...[0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60].map((ms): Measure => ({
      what: `${what}, within ${ms} ms`,
      value: 100 * shareWithin(ms),
      unit: "%",
    })),
  ];
}
