import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { noObjects } from "../../src/decisions/explain/cluster-objects.ts";
import type { SchedulerProfile } from "../../src/page/contract.ts";
import { node } from "../../src/testing/node.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";
import { previewPlacements } from "./placement-preview.ts";

const profile = (schedulerName: string, percentageOfNodesToScore: number): SchedulerProfile => ({
  schedulerName,
  percentageOfNodesToScore,
  plugins: {},
  weights: {},
  args: {},
});
const profiles = [profile("default-scheduler", 100), profile("batch", 30)];

test.for([
  { schedulerName: "default-scheduler", nodes: 200, want: false },
  { schedulerName: "batch", nodes: 200, want: true },
  { schedulerName: "batch", nodes: 100, want: false }, // too few to leave any out
  { schedulerName: "unknown", nodes: 200, want: false },
])(
  "whether only some nodes are compared is up to the Pod's scheduler: $schedulerName, $nodes nodes",
  (each) => {
    const set = replicaSet("web", { size: 0 });
    const { template } = set.spec;
    const spec = { containers: [], ...template?.spec, schedulerName: each.schedulerName };
    const objects = {
      ...noObjects,
      nodes: Array.from({ length: each.nodes }, (_, index) => node(`node-${index}`)),
      replicaSets: [{ ...set, spec: { ...set.spec, template: { ...template, spec } } }],
    };
    const context = { gates: defaultFeatureGates, now: 0, profile: "trimtab" } as const;
    const creation = { kind: "ReplicaSet", namespace: "default", owner: "web", count: 1 } as const;
    expect(previewPlacements([creation], { objects, context }, profiles)).toMatchObject([
      { owner: "web", comparesSome: each.want },
    ]);
  },
);
