import { expect, test } from "vitest";
import { podInfo } from "../objects/pod-info.ts";
import { domainCases } from "./counted-domains.cases.ts";
import { labelCases } from "./counted-labels.cases.ts";
import { defaultCases } from "./default-constraints.cases.ts";
import { countsByValue } from "./counted-constraint.cases.ts";
import { countDomains, globalMinimum } from "./counted-constraint.ts";
import { effectiveConstraints } from "./effective-constraints.ts";
import { inclusionCases } from "./node-inclusion.cases.ts";
import { podTopologySpread } from "./plugin.ts";
import { answerFor, podOfCase } from "./spread-cluster.cases.ts";

const countCases = [...domainCases, ...labelCases, ...inclusionCases, ...defaultCases];

test.for(countCases)("counting $name", ({ want, ...given }) => {
  const { args = { defaultingType: "System" } } = given;
  const pod = podInfo(podOfCase(given));
  const counted = answerFor(given, (cluster) => {
    const filter = podTopologySpread(args).preFilter?.(pod, cluster)?.filter;
    expect(filter === undefined).toBe(want === null);

    const constraints = effectiveConstraints(pod, cluster, args).of("DoNotSchedule");
    if (typeof constraints === "string") throw new Error(constraints);
    return countDomains(constraints, pod, cluster).map((counts, index) => ({
      counts: countsByValue(counts),
      minimum: globalMinimum(counts, constraints[index]?.minDomains ?? 1),
    }));
  });
  expect(counted).toEqual(want ?? []);
});
