import v8 from "node:v8";
import vm from "node:vm";
import type { Service } from "../src/api/generated/core-v1.ts";
import { defaultPlugins } from "../src/decisions/placement/default-plugins.ts";
import { placePod } from "../src/decisions/placement/place-pod.ts";
import { PlacementWorkspace } from "../src/decisions/placement/placement-workspace.ts";
import { pluginSetOf } from "../src/decisions/placement/plugin-set.ts";
import type { Plugin } from "../src/decisions/placement/plugin.ts";
import { podTopologySpread } from "../src/decisions/placement/pod-topology-spread/plugin.ts";
import { runPreFilter } from "../src/decisions/placement/run-pre-filter.ts";
import { scoreNodes } from "../src/decisions/placement/score-nodes.ts";
import { selectorSpread } from "../src/decisions/placement/selector-spread/plugin.ts";
import { podInfo } from "../src/decisions/placement/snapshot/pod-info.ts";
import {
  type ClusterObjects,
  type Snapshot,
  snapshotOf,
} from "../src/decisions/placement/snapshot/snapshot.ts";
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
  { nodes: 1000, pods: 10_000, bar: 0.4, goal: 0.05 },
  { nodes: 5000, pods: 50_000, bar: 2, goal: 0.16 },
];
const zones = 10;
/** Enough for the compiler to have made up its mind where a round takes a fraction of a millisecond. */
const rounds = 51;
const labels = { foo: "" };

/**
 * The spreading of one Pod over a whole cluster, as upstream measures it: PreScore, Score of every node and
 * NormalizeScore, all nodes feasible, one Service; beside it the plain scheduler, which goes through all Pods. Then what
 * a whole placement costs, by the number of Pods that are there.
 */
export function placement(): readonly Measure[] {
  compileScorers();
  return [
    ...sizes.flatMap(({ nodes, pods, ...bars }): Measure[] => {
      const objects = clusterOf(nodes, pods);
      const snapshot = snapshotOf(objects);
      const size = `${nodes.toLocaleString("en")} nodes / ${pods.toLocaleString("en")} Pods`;
      const inMs = (what: string, value: number): Measure => ({
        what: `${what}, ${size}`,
        value,
        unit: "ms",
      });
      return [
        { ...inMs("default spread", timeToScore(podTopologySpread(), snapshot)), ...bars },
        inMs("SelectorSpread", timeToScore(selectorSpread, snapshot)),
        inMs("plain default spread", plainTimeToScore("defaults", objects)),
        inMs("plain SelectorSpread", plainTimeToScore("SelectorSpread", objects)),
      ];
    }),
    ...[1000, 10_000, 50_000, 100_000].flatMap(wholePlacement),
  ];
}

/** Runs everything that is compared until it is compiled: what is measured first would otherwise take longer. */
function compileScorers(): void {
  const objects = clusterOf(100, 1000);
  const snapshot = snapshotOf(objects);
  for (let round = 0; round < 20; round++) {
    timeToScore(podTopologySpread(), snapshot);
    timeToScore(selectorSpread, snapshot);
    plainTimeToScore("defaults", objects);
    plainTimeToScore("SelectorSpread", objects);
  }
}

function timeToScore(plugin: Plugin, snapshot: Snapshot): number {
  const waiting = podInfo(pod("waiting", { node: null, labels }));
  const pluginSet = pluginSetOf([{ plugin, weight: 1 }]);
  return medianMs(() => {
    runPreFilter(waiting, snapshot, pluginSet);
    scoreNodes({ pod: waiting, snapshot, scorers: pluginSet.scorers }, snapshot.nodes);
  }, rounds);
}

function plainTimeToScore(by: "defaults" | "SelectorSpread", objects: ClusterObjects): number {
  const waiting = plainPodInfo(pod("waiting", { node: null, labels }));
  const snapshot = plainSnapshotOf(objects);
  const plugin = by === "defaults" ? plainTopologySpread() : plainSelectorSpread;
  return medianMs(() => {
    plugin.preFilter?.(waiting, snapshot);
    scorePlainly({ pod: waiting, snapshot, scorers: [{ plugin, weight: 1 }] }, snapshot.nodes);
  }, rounds);
}

function clusterOf(nodes: number, pods: number): ClusterObjects {
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
function wholePlacement(present: number): readonly Measure[] {
  const snapshot = snapshotOf(clusterOf(5000, present));
  const pluginSet = pluginSetOf(defaultPlugins());
  const byName = new Map(snapshot.nodes.map((each) => [each.name, each]));
  let start = 0;
  let count = 0;
  const workspace = new PlacementWorkspace();
  const place = (): void => {
    const waiting = pod(`waiting-${count++}`, { node: null, labels });
    const placed = placePod(waiting, snapshot, { pluginSet, start, draw: () => 0, workspace });
    start = placed.nextStart;
    const chosen = placed.outcome.kind === "placed" ? byName.get(placed.outcome.node) : undefined;
    if (chosen === undefined) throw new Error("the Pod was not placed");
    snapshot.columns.addPod(chosen, podInfo(waiting));
  };
  const took = medianMs(place, 501);
  const size = `5,000 nodes / ${present.toLocaleString("en")} Pods present`;
  return [
    { what: `placing a Pod, ${size}`, value: took * 1000, unit: "µs" },
    { what: `allocated for it, ${size}`, value: allocatedBy(place) / 1024, unit: "kB" },
  ];
}

/** Bytes per run: of so few runs that no collection comes in between. */
function allocatedBy(run: () => void): number {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  const runs = 20;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < runs; index++) run();
  return (process.memoryUsage().heapUsed - before) / runs;
}
