import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Service } from "../../src/api/generated/core-v1.ts";
import { defaultPlugins } from "../../src/decisions/placement/default-plugins.ts";
import type { NodeInfo } from "../../src/decisions/placement/objects/node-info.ts";
import { podInfo } from "../../src/decisions/placement/objects/pod-info.ts";
import { type PluginSet, pluginSetOf } from "../../src/decisions/placement/plugin-entry.ts";
import { placePod } from "../../src/decisions/placement/place-pod.ts";
import { clusterViewOf } from "../../src/decisions/placement/view/list-view.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import {
  type ClusterKind,
  clusterKinds,
  type RandomCluster,
  randomCluster,
  workloadLabels,
  workloadPod,
} from "./random-cluster.ts";

/** How far the fullest is from the emptiest. */
export interface Skew {
  readonly zone: number;
  readonly host: number;
}

/** The same cluster after the same Pods, placed either way. */
export interface Comparison {
  readonly kind: ClusterKind;
  readonly defaults: Skew;
  readonly selectorSpread: Skew;
}

/** The default set of plugins with the gate on: PodTopologySpread with the built-in constraints. */
const withDefaults = pluginSetOf(defaultPlugins());
/** And with the gate off: SelectorSpread. */
const withSelectorSpread = pluginSetOf(
  defaultPlugins({}, { ...defaultFeatureGates, DefaultPodTopologySpread: false }),
);

/** Places the same workload on a random cluster, by default constraints and by SelectorSpread. */
export function compareSpreads(index: number): Comparison {
  const kind = clusterKinds[index % clusterKinds.length] ?? "even zones";
  const seed = `default-spread-${index}`;
  const cluster = randomCluster(kind, seededRandom(seed));
  return {
    kind,
    defaults: placeAll(cluster, withDefaults, seed),
    selectorSpread: placeAll(cluster, withSelectorSpread, seed),
  };
}

function placeAll({ nodes, pods, replicas }: RandomCluster, pluginSet: PluginSet, seed: string): Skew {
  const random = seededRandom(`${seed}/ties`);
  const metadata = { name: "web", namespace: "default", uid: "uid-of-web", resourceVersion: "1" };
  const services: Service[] = [{ metadata, spec: { selector: workloadLabels } }];
  let view = clusterViewOf({ nodes, pods, services });
  let start = 0;
  for (let index = 0; index < replicas; index++) {
    const waiting = workloadPod(`web-${index}`, null);
    const draw = (limit: number) => randomInt(random, limit);
    const { outcome, nextStart } = placePod(waiting, view, { pluginSet, draw, start });
    start = nextStart;
    if (outcome.kind !== "placed") continue;
    const placed = podInfo(workloadPod(`web-${index}`, outcome.node));
    const chosen = view.nodes.find(({ name }) => name === outcome.node);
    if (chosen !== undefined) view = view.withPod(chosen, placed);
  }
  return skewOf(view.nodes);
}

function skewOf(nodes: readonly NodeInfo[]): Skew {
  const perZone = new Map<string, number>();
  const perHost: number[] = [];
  for (const { labels, pods } of nodes) {
    const count = pods.filter((each) => each.labels?.["app"] === workloadLabels.app).length;
    const zone = labels?.["topology.kubernetes.io/zone"] ?? "";
    perZone.set(zone, (perZone.get(zone) ?? 0) + count);
    perHost.push(count);
  }
  return { zone: range([...perZone.values()]), host: range(perHost) };
}

function range(counts: readonly number[]): number {
  return Math.max(...counts) - Math.min(...counts);
}
