import type { Service } from "../src/api/generated/core-v1.ts";
import { runPreFilter } from "../src/decisions/placement/run-pre-filter.ts";
import { podInfo } from "../src/decisions/placement/snapshot/pod-info.ts";
import { pluginSetOf } from "../src/decisions/placement/plugin-set.ts";
import type { Plugin } from "../src/decisions/placement/plugin.ts";
import { podTopologySpread } from "../src/decisions/placement/pod-topology-spread/plugin.ts";
import { scoreNodes } from "../src/decisions/placement/score-nodes.ts";
import { selectorSpread } from "../src/decisions/placement/selector-spread/plugin.ts";
import { type Snapshot, snapshotOf } from "../src/decisions/placement/snapshot/snapshot.ts";
import { node } from "../src/testing/node.ts";
import { pod } from "../src/testing/pod.ts";
import { type Measure, medianMs } from "./measure.ts";

const sizes = [
  { nodes: 100, pods: 1000 },
  { nodes: 1000, pods: 10_000 },
  { nodes: 5000, pods: 50_000 },
];
const zones = 10;
/** Enough for the compiler to have made up its mind where a round takes a fraction of a millisecond. */
const rounds = 51;
const labels = { foo: "" };

/**
 * The plain scheduler's spreading of one Pod over a whole cluster, as upstream measures it: PreScore, Score of every
 * node and NormalizeScore, all nodes feasible, one Service. What the fast scheduler will be held against.
 */
export function placement(): readonly Measure[] {
  return sizes.flatMap(({ nodes, pods }): Measure[] => {
    const snapshot = clusterOf(nodes, pods);
    const size = `${nodes.toLocaleString("en")} nodes / ${pods.toLocaleString("en")} Pods`;
    return [
      {
        what: `plain default spread, ${size}`,
        value: timeToScore(podTopologySpread(), snapshot),
        unit: "ms",
      },
      { what: `plain SelectorSpread, ${size}`, value: timeToScore(selectorSpread, snapshot), unit: "ms" },
    ];
  });
}

function timeToScore(plugin: Plugin, snapshot: Snapshot): number {
  const waiting = podInfo(pod("waiting", { node: null, labels }));
  const pluginSet = pluginSetOf([{ plugin, weight: 1 }]);
  return medianMs(() => {
    runPreFilter(waiting, snapshot, pluginSet);
    scoreNodes({ pod: waiting, snapshot, scorers: pluginSet.scorers }, snapshot.nodes);
  }, rounds);
}

function clusterOf(nodes: number, pods: number): Snapshot {
  const metadata = { name: "web", namespace: "default", uid: "uid-of-web", resourceVersion: "1" };
  const services: Service[] = [{ metadata, spec: { selector: labels } }];
  return snapshotOf({
    nodes: Array.from({ length: nodes }, (_, index) =>
      node(`node-${index}`, { zone: `zone-${index % zones}` }),
    ),
    pods: Array.from({ length: pods }, (_, index) =>
      pod(`pod-${index}`, { node: `node-${index % nodes}`, labels }),
    ),
    services,
  });
}
