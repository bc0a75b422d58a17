import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { Pod } from "../src/api/generated/core-v1.ts";
import { selectionOf } from "../src/api/labels/label-selector.ts";
import { zoneLabel } from "../src/api/well-known.ts";
import { chooseVictims } from "../src/decisions/downscale/choose-victims.ts";
import { countPerNode } from "../src/decisions/downscale/co-location.ts";
import type { Facts, SpreadDomains } from "../src/decisions/downscale/facts.ts";
import { rankPods } from "../src/decisions/downscale/rank-pods.ts";
import { cpuMs, type Measure, medianCpuMs, percentile } from "./measure.ts";
import { now, realisticPods } from "./realistic-pods.ts";

/** The processor time of ranking Pods for removal, and of choosing a few of many; the counts per node are given, and measured on their own. */
export function ranking(): readonly Measure[] {
  const pods = realisticPods(100_000, 0.01);
  const healthy = realisticPods(100_000, 0);
  const tenThousand = rankingTime(pods.slice(0, 10_000));
  return [
    { what: "ranking 1,000 Pods", value: rankingTime(pods.slice(0, 1000)), unit: "ms" },
    { what: "ranking 10,000 Pods", value: tenThousand, unit: "ms", bar: 12, goal: 10, kubernetes: 95 },
    {
      what: "ranking 100,000 Pods",
      value: rankingTime(pods),
      unit: "ms",
      bar: 130,
      goal: 100,
      kubernetes: 1840,
    },
    {
      what: "choosing 10 of 100,000 Pods",
      value: choosingTime(pods),
      unit: "ms",
      bar: 25,
      goal: 18,
      kubernetes: 1840,
    },
    { what: "choosing 10 of 100,000 Pods, all of them healthy", value: choosingTime(healthy), unit: "ms" },
    {
      what: "CPU time of choosing 10 of 100,000 by zones and hosts, of that by nodes; counting included",
      value: spreadShare(healthy),
      unit: "%",
      bar: 200,
    },
    { what: "counting 100,000 Pods per node", value: medianCpuMs(() => countPerNode(pods)), unit: "ms" },
  ];
}

function rankingTime(pods: readonly Pod[]): number {
  const facts = factsOf(pods);
  return medianCpuMs(() => rankPods(pods, facts));
}

function choosingTime(pods: readonly Pod[]): number {
  const facts = factsOf(pods);
  return medianCpuMs(() => chooseVictims(pods, 10, facts));
}

function factsOf(pods: readonly Pod[]): Facts {
  return { now, gates: defaultFeatureGates, related: countPerNode(pods) };
}

/** Alternately, so that other load on the machine hits both alike. */
function spreadShare(pods: readonly Pod[]): number {
  const spread = {
    constraints: [onNodes(zoneLabel, (node) => node % 3), onNodes(hostKey, (node) => node)],
    ignored: [],
  };
  const [without, by]: [number[], number[]] = [[], []];
  for (let round = 0; round < 12; round++) {
    without.push(cpuMs(() => chooseVictims(pods, 10, factsOf(pods))));
    by.push(
      cpuMs(() => chooseVictims(pods, 10, { now, gates: defaultFeatureGates, related: () => 0, spread })),
    );
  }
  // The first rounds warm up.
  return (100 * percentile(by.slice(3), 0.5)) / percentile(without.slice(3), 0.5);
}

const hostKey = "kubernetes.io/hostname";
const selection = selectionOf([{ operator: "=", key: "tier", value: "front" }]);

/** A default constraint on the 5,000 nodes of the Pods. */
function onNodes(topologyKey: string, domainOf: (node: number) => number): SpreadDomains {
  const domains = new Map(
    Array.from({ length: 5000 }, (_, node) => [`node-${node}`, String(domainOf(node))] as const),
  );
  const defaults = { whenUnsatisfiable: "ScheduleAnyway", source: "built-in" } as const;
  return { topologyKey, ...defaults, domains, selection, base: new Map() };
}
