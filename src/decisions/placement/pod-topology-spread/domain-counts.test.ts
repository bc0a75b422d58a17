import { expect, test } from "vitest";
import { podInfo } from "../snapshot/pod-info.ts";
import { countCases, countsByValue } from "./domain-counts.cases.ts";
import { countDomains, globalMinimum } from "./domain-counts.ts";
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
    counts: countsByValue(counts),
    minimum: globalMinimum(counts, constraints[index]?.minDomains ?? 1),
  }));
  expect(counted).toEqual(want ?? []);
});
