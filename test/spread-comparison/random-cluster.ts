import type { Node, Pod } from "../../src/api/generated/core-v1.ts";
import { type Random, randomInt } from "../../src/machinery/random/random.ts";
import { node } from "../../src/testing/node.ts";
import { pod } from "../../src/testing/pod.ts";

/** What is particular about a cluster; each kind is a row of the table. */
export const clusterKinds = [
  "even zones",
  "uneven zones",
  "loaded unevenly",
  "a zone was lost and is back",
  "over 100 nodes",
] as const;

export type ClusterKind = (typeof clusterKinds)[number];

/** A cluster, and how many Pods of one workload are to be placed on it. */
export interface RandomCluster {
  readonly kind: ClusterKind;
  readonly nodes: readonly Node[];
  /** Pods that are there already, of the workload and of others. */
  readonly pods: readonly Pod[];
  readonly replicas: number;
}

/** Pods of the workload have this label, and its Service selects by it. */
export const workloadLabels = { app: "web" };

/** Draws a cluster of a kind. */
export function randomCluster(kind: ClusterKind, random: Random): RandomCluster {
  const between = (least: number, most: number): number => least + randomInt(random, most - least + 1);
  const zones = between(2, 5);
  const isLarge = kind === "over 100 nodes";
  const count = isLarge ? between(101, 160) : between(zones, 40);
  const nodes = Array.from({ length: count }, (_, index) => {
    const zone = kind === "uneven zones" && index >= zones ? unevenZone(zones, random) : index % zones;
    const cpu = between(4, 16);
    return node(`node-${index}`, { zone: `zone-${zone}`, allocatable: { cpu, memory: `${cpu * 4}Gi` } });
  });
  const replicas = between(3, isLarge ? 40 : 30);
  return {
    kind,
    nodes,
    pods: [...unrelatedPods(kind, nodes, random), ...survivors(kind, nodes, replicas)],
    replicas,
  };
}

/** Half of the nodes that are left fall to the first zone, half of the rest to the second, and so on. */
function unevenZone(zones: number, random: Random): number {
  let zone = 0;
  while (zone < zones - 1 && random.next() < 0.5) zone++;
  return zone;
}

/** Pods of other workloads; in a cluster that is loaded unevenly, most are in the first zone. */
function unrelatedPods(kind: ClusterKind, nodes: readonly Node[], random: Random): readonly Pod[] {
  return nodes.flatMap((on, index) => {
    const isBusy =
      kind === "loaded unevenly" && on.metadata.labels?.["topology.kubernetes.io/zone"] === "zone-0";
    const count = randomInt(random, isBusy ? 8 : 4);
    return Array.from({ length: count }, (_, each) =>
      pod(`stranger-${index}-${each}`, {
        node: on.metadata.name,
        labels: { app: "stranger" },
        spec: requesting(`${100 * (1 + randomInt(random, 5))}m`, `${128 * (1 + randomInt(random, 8))}Mi`),
      }),
    );
  });
}

/** Pods of the workload that were placed while the last zone was away: half of what is to come. */
function survivors(kind: ClusterKind, nodes: readonly Node[], replicas: number): readonly Pod[] {
  if (kind !== "a zone was lost and is back") return [];
  const zoneOf = (each: Node) => each.metadata.labels?.["topology.kubernetes.io/zone"] ?? "";
  const lost = nodes.map(zoneOf).sort().at(-1);
  const left = nodes.filter((each) => zoneOf(each) !== lost);
  return Array.from({ length: Math.floor(replicas / 2) }, (_, index) =>
    workloadPod(`survivor-${index}`, left[index % left.length]?.metadata.name ?? null),
  );
}

/** A Pod of the workload; without a node it waits. */
export function workloadPod(name: string, on: string | null): Pod {
  return pod(name, { node: on, labels: workloadLabels, spec: requesting("200m", "256Mi") });
}

function requesting(cpu: string, memory: string) {
  return {
    containers: [{ name: "app", image: "registry.example/app:1", resources: { requests: { cpu, memory } } }],
  };
}
