import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { Pod } from "../src/api/generated/core-v1.ts";
import { chooseVictims } from "../src/decisions/downscale/choose-victims.ts";
import { countPerNode } from "../src/decisions/downscale/co-location.ts";
import type { Facts } from "../src/decisions/downscale/facts.ts";
import { rankPods } from "../src/decisions/downscale/rank-pods.ts";
import { type Measure, medianMs } from "./measure.ts";
import { now, realisticPods } from "./realistic-pods.ts";

/** Ranking Pods for removal, and choosing a few of many; the counts per node are given, and measured on their own. */
export function ranking(): readonly Measure[] {
  const pods = realisticPods(100_000, 0.01);
  const healthy = realisticPods(100_000, 0);
  const tenThousand = rankingTime(pods.slice(0, 10_000));
  return [
    { what: "ranking 1,000 Pods", value: rankingTime(pods.slice(0, 1000)), unit: "ms" },
    { what: "ranking 10,000 Pods", value: tenThousand, unit: "ms", bar: 40, goal: 12 },
    { what: "ranking 100,000 Pods", value: rankingTime(pods), unit: "ms", bar: 350, goal: 120 },
    { what: "choosing 10 of 100,000 Pods", value: choosingTime(pods), unit: "ms", bar: 110, goal: 20 },
    { what: "choosing 10 of 100,000 Pods, all of them healthy", value: choosingTime(healthy), unit: "ms" },
    { what: "counting 100,000 Pods per node", value: medianMs(() => countPerNode(pods)), unit: "ms" },
  ];
}

function rankingTime(pods: readonly Pod[]): number {
  const facts = factsOf(pods);
  return medianMs(() => rankPods(pods, facts));
}

function choosingTime(pods: readonly Pod[]): number {
  const facts = factsOf(pods);
  return medianMs(() => chooseVictims(pods, 10, facts));
}

function factsOf(pods: readonly Pod[]): Facts {
  return { now, gates: defaultFeatureGates, related: countPerNode(pods) };
}
