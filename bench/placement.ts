import type { HeapProfiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import type { Pod, PodSpec, Service } from "../src/api/generated/core-v1.ts";
import { zoneLabel } from "../src/api/well-known.ts";
import { defaultPlugins } from "../src/decisions/placement/default-plugins.ts";
import { placePod } from "../src/decisions/placement/place-pod.ts";
import { PlacementWorkspace } from "../src/decisions/placement/placement-workspace.ts";
import { pluginSetOf } from "../src/decisions/placement/plugin-entry.ts";
import type { Plugin } from "../src/decisions/placement/plugin.ts";
import { podTopologySpread } from "../src/decisions/placement/pod-topology-spread/plugin.ts";
import { runPreFilter } from "../src/decisions/placement/run-pre-filter.ts";
import { scoreNodes } from "../src/decisions/placement/score-nodes.ts";
import { selectorSpread } from "../src/decisions/placement/selector-spread/plugin.ts";
import { podInfo } from "../src/decisions/placement/objects/pod-info.ts";
import type { ClusterView } from "../src/decisions/placement/view/cluster-view.ts";
import { lookupsIn, type PlacementObjects } from "../src/decisions/placement/view/list-view.ts";
import { LiveView } from "../src/scheduler/cache/live-view.ts";
import { NodeCache } from "../src/scheduler/cache/node-cache.ts";
import { PlacementLog } from "../src/scheduler/records/placement-log.ts";
import { node } from "../src/testing/node.ts";
import { pod } from "../src/testing/pod.ts";
import { podTopologySpread as plainTopologySpread } from "../test/placement-oracle/pod-topology-spread/plugin.ts";
import { scoreNodes as scorePlainly } from "../test/placement-oracle/score-nodes.ts";
import { selectorSpread as plainSelectorSpread } from "../test/placement-oracle/selector-spread/plugin.ts";
import { podInfo as plainPodInfo } from "../test/placement-oracle/snapshot/pod-info.ts";
import { snapshotOf as plainSnapshotOf } from "../test/placement-oracle/snapshot/snapshot.ts";
import { type Measure, medianMs } from "./measure.ts";

const sizes = [
  { nodes: 100, pods: 1000 },
  { nodes: 1000, pods: 10_000, bar: 0.1, goal: 0.05, kubernetes: 1.47 },
  { nodes: 5000, pods: 50_000, bar: 0.5, goal: 0.16, kubernetes: 44 },
];
const zones = 10;
/** Enough rounds for V8 to have optimised code whose rounds take a fraction of a millisecond. */
const rounds = 51;
const labels = { foo: "" };

/**
 * The spreading of one Pod over a whole cluster, as upstream measures it: PreScore, Score of every node and
 * NormalizeScore, all nodes feasible, one Service; beside it the plain scheduler, which goes through all Pods. Then what
 * a whole placement costs, by the number of Pods that are there, and what its record adds.
 */
export async function placement(): Promise<readonly Measure[]> {
  compileScorers();
  const scoring = sizes.flatMap(({ nodes, pods, ...bars }): Measure[] => {
    const objects = clusterOf(nodes, pods);
    const { cluster } = cached(objects);
    const size = `${nodes.toLocaleString("en")} nodes / ${pods.toLocaleString("en")} Pods`;
    const inMs = (what: string, value: number): Measure => ({
      what: `${what}, ${size}`,
      value,
      unit: "ms",
    });
    return [
      { ...inMs("default spread", timeToScore(podTopologySpread(), cluster)), ...bars },
      inMs("SelectorSpread", timeToScore(selectorSpread, cluster)),
      inMs("plain default spread", plainTimeToScore("defaults", objects)),
      inMs("plain SelectorSpread", plainTimeToScore("SelectorSpread", objects)),
    ];
  });
  const whole: Measure[] = [];
  for (const present of [1000, 10_000, 50_000, 100_000]) whole.push(...(await wholePlacement(present)));
  return [...scoring, ...whole, ...(await recording("off")), ...(await recording("on"))];
}

/** Runs everything that is compared until it is compiled: what is measured first would otherwise take longer. */
function compileScorers(): void {
  const objects = clusterOf(100, 1000);
  const { cluster } = cached(objects);
  for (let round = 0; round < 20; round++) {
    timeToScore(podTopologySpread(), cluster);
    timeToScore(selectorSpread, cluster);
    plainTimeToScore("defaults", objects);
    plainTimeToScore("SelectorSpread", objects);
  }
}

function timeToScore(plugin: Plugin, cluster: ClusterView): number {
  const waiting = podInfo(pod("waiting", { node: null, labels }));
  const pluginSet = pluginSetOf([{ plugin, weight: 1 }]);
  return medianMs(() => {
    runPreFilter(waiting, cluster, pluginSet);
    scoreNodes({ pod: waiting, cluster, scorers: pluginSet.scorers }, cluster.nodes);
  }, rounds);
}

function plainTimeToScore(by: "defaults" | "SelectorSpread", objects: PlacementObjects): number {
  const waiting = plainPodInfo(pod("waiting", { node: null, labels }));
  const snapshot = plainSnapshotOf(objects);
  const plugin = by === "defaults" ? plainTopologySpread() : plainSelectorSpread;
  return medianMs(() => {
    plugin.preFilter?.(waiting, snapshot);
    scorePlainly({ pod: waiting, snapshot, scorers: [{ plugin, weight: 1 }] }, snapshot.nodes);
  }, rounds);
}

function clusterOf(nodes: number, pods: number): PlacementObjects {
  const metadata = { name: "web", namespace: "default", uid: "uid-of-web", resourceVersion: "1" };
  const services: Service[] = [{ metadata, spec: { selector: labels } }];
  return {
    nodes: Array.from({ length: nodes }, (_, index) =>
      node(`node-${index}`, { zone: `zone-${index % zones}`, allocatable: { pods: "1000", cpu: "64" } }),
    ),
    pods: Array.from({ length: pods }, (_, index) =>
      pod(`pod-${index}`, { node: `node-${index % nodes}`, labels }),
    ),
    services,
  };
}

/** All plugins of the default set on 5,000 nodes, with the Pod put on its node: time, and memory that is allocated. */
async function wholePlacement(present: number): Promise<readonly Measure[]> {
  const place = placementOn(clusterOf(5000, present), {});
  const took = medianMs(() => place(waitingPods(1)), 3001);
  const size = `5,000 nodes / ${present.toLocaleString("en")} Pods present`;
  return [
    { what: `placing a Pod, ${size}`, value: took * 1000, unit: "µs" },
    { what: `allocated for it, ${size}`, value: (await allocatedPerPod(place, {})) / 1024, unit: "kB" },
  ];
}

/** The same with hard zone spread, without and with records: CPU time, which other programs hardly change, and memory. */
async function recording(records: "off" | "on"): Promise<readonly Measure[]> {
  const place = placementOn({ ...clusterOf(5000, 10_000), services: [] }, { records });
  place(waitingPods(6000, hardSpread));
  const pods = waitingPods(3000, hardSpread);
  const begin = process.cpuUsage();
  place(pods);
  const { user, system } = process.cpuUsage(begin);
  const what = `placing a Pod, hard zone spread, records ${records}`;
  const allocated = await allocatedPerPod(place, hardSpread);
  return [
    { what: `${what}: CPU time`, value: (user + system) / pods.length, unit: "µs" },
    { what: `${what}: allocated`, value: allocated / 1024, unit: "kB" },
  ];
}

const hardSpread: Partial<PodSpec> = {
  topologySpreadConstraints: [
    {
      maxSkew: 5,
      topologyKey: zoneLabel,
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: labels },
    },
  ],
};

/** Objects as a scheduler caches them. */
function cached({ nodes, pods = [], ...others }: PlacementObjects): {
  readonly nodes: NodeCache;
  readonly cluster: ClusterView;
} {
  const cache = new NodeCache();
  for (const each of nodes) cache.setNode(each);
  for (const each of pods) cache.addPod(each.spec.nodeName ?? "", podInfo(each));
  return { nodes: cache, cluster: new LiveView(cache, lookupsIn(others)) };
}

/** Places Pods one after the other on a cluster and puts them on their nodes. */
function placementOn(
  objects: PlacementObjects,
  { records = "off" }: { readonly records?: "off" | "on" },
): (pods: readonly Pod[]) => void {
  const { nodes, cluster } = cached(objects);
  const pluginSet = pluginSetOf(defaultPlugins());
  const workspace = new PlacementWorkspace();
  const log = new PlacementLog();
  let start = 0;
  return (pods) => {
    for (const waiting of pods) {
      const placed = placePod(waiting, cluster, { pluginSet, start, draw: () => 0, workspace });
      start = placed.nextStart;
      if (records === "on") log.add({ placement: placed, at: 0, profile: "default-scheduler", attempt: 1 });
      if (placed.outcome.kind !== "placed") throw new Error("the Pod was not placed");
      nodes.addPod(placed.outcome.node, podInfo(waiting));
    }
  };
}

let made = 0;

function waitingPods(count: number, spec: Partial<PodSpec> = {}): readonly Pod[] {
  return Array.from({ length: count }, () => pod(`waiting-${made++}`, { node: null, labels, spec }));
}

/** Bytes per Pod by V8's sampling, once everything is compiled; of garbage too. */
async function allocatedPerPod(
  place: (pods: readonly Pod[]) => void,
  spec: Partial<PodSpec>,
): Promise<number> {
  const pods = waitingPods(1000, spec);
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 1024,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  place(pods);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  const sizeOf = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
    children.reduce((sum, child) => sum + sizeOf(child), selfSize);
  return sizeOf(profile.head) / pods.length;
}
