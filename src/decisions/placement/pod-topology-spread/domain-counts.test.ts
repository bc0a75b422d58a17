import { expect, test } from "vitest";
import { podInfo } from "../snapshot/pod-info.ts";
import { countCases } from "./domain-counts.cases.ts";
import { countDomains, type DomainCounts, globalMinimum } from "./domain-counts.ts";
import { effectiveConstraints } from "./effective-constraints.ts";
import { podTopologySpread } from "./plugin.ts";
import { clusterOf, podOf } from "./spread-cluster.cases.ts";

test.for(countCases)("counting $name", ({ want, ...given }) => {
  const { args = { defaultingType: "System" } } = given;
  const snapshot = clusterOf(given);
  const pod = podInfo(podOf(given));
  const filter = podTopologySpread(args).preFilter?.(pod, snapshot)?.filter;
  expect(filter === undefined).toBe(want === null);

  const constraints = effectiveConstraints(pod, snapshot, args).of("DoNotSchedule");
  if (typeof constraints === "string") throw new Error(constraints);
  const counted = countDomains(constraints, pod, snapshot).map((counts, index) => ({
    counts: byValue(counts),
    minimum: globalMinimum(counts, constraints[index]?.minDomains ?? 1),
  }));
  expect(counted).toEqual(want ?? []);
});

/** The counts of the domains that a node is in which counts, by label value. */
function byValue({ column, perDomain, isCounted }: DomainCounts): Readonly<Record<string, number>> {
  const entries = column.values.map((value, domain) => [value, perDomain[domain] ?? 0] as const);
  return Object.fromEntries(entries.filter((_, domain) => isCounted(domain)));
}
