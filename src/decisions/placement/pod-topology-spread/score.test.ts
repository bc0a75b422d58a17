import { describe, expect, test } from "vitest";
import { replicaSet } from "../../../testing/replica-set.ts";
import { podInfo } from "../objects/pod-info.ts";
import { scoreNodes } from "../score-nodes.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { emptyValue } from "../view/cluster-columns.ts";
import { effectiveConstraints } from "./effective-constraints.ts";
import { podTopologySpread } from "./plugin.ts";
import { scoreCases } from "./score.cases.ts";
import { lacksKey } from "./fold-domains.ts";
import { spreadState } from "./score.ts";
import {
  answerFor,
  clusterOf,
  hard,
  place,
  podOfCase,
  service,
  soft,
  type SpreadCase,
} from "./spread-cluster.cases.ts";

function feasibleIn(cluster: ClusterView, names: readonly string[]) {
  return cluster.nodes.filter(({ name }) => names.includes(name));
}

test.for(scoreCases)("spread score $name", ({ want, ...given }) => {
  const scorers = [{ plugin: podTopologySpread(given.args), weight: 1 }];
  const pod = podInfo(podOfCase(given));
  const scores = answerFor(given, (cluster) => {
    const scored = scoreNodes({ pod, cluster, scorers }, feasibleIn(cluster, Object.keys(want)));
    if (scored.kind === "fails") throw new Error(scored.message);
    expect(scored.columns).toHaveLength(1);
    return Object.fromEntries(scored.nodes.map((node, index) => [node, scored.totals[index]]));
  });
  expect(scores).toEqual(want);
});

test.for<SpreadCase>([
  { name: "without constraints and defaults", args: { defaultingType: "List" } },
  {
    name: "for a Pod whose ReplicaSet is gone and that no Service selects",
    args: { defaultingType: "List", defaultConstraints: [soft("zone", { labelSelector: null })] },
    owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "gone" },
  },
  { name: "with hard constraints alone", constraints: [hard("zone")] },
])("spread has no preference $name", (given) => {
  const cluster = clusterOf(given);
  const { preScore } = podTopologySpread(given.args);
  expect(preScore?.(podInfo(podOfCase(given)), cluster, cluster.nodes)).toBeUndefined();
});

const host = "kubernetes.io/hostname";
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs" };
const twoSoft = [hard("rack", { labelSelector: null }), soft(host), soft("planet")];

describe("before it scores, spread knows", () => {
  const abx = ["a", "b", "x"];
  const three = [place("a", { zone: "zone1" }), place("b", { zone: "zone1" }), place("x", { zone: "zone2" })];
  const martians = [
    place("a", {}, { zone: "mars" }),
    place("b", {}, { zone: "mars" }),
    place("c"),
    place("d"),
  ];
  const nodeSelectorTerms = [{ matchExpressions: [{ key: "node", operator: "In", values: ["a"] }] }];
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  const tainted = [place("a"), place("b", {}, { taints: [{ key: "k", effect: "NoSchedule" }] })];
  const policyCases = [
    { policy: "nodeAffinityPolicy", by: "a node selector", spec: { nodeSelector: { node: "a" } } },
    { policy: "nodeAffinityPolicy", by: "node affinity", spec: { affinity: { nodeAffinity: required } } },
    { policy: "nodeTaintsPolicy", by: "a taint", spec: {} },
  ].flatMap(({ policy, by, spec }) =>
    ["Honor", "Ignore"].map((value) => ({
      name: `every feasible domain, also of a node ruled out by ${by}, with ${policy}: ${value}`,
      nodes: tainted,
      spec,
      constraints: [soft("node", { [policy]: value })],
      feasible: ["a", "b"],
      want: { ignored: [], counts: [{ a: 0, b: 0 }], weights: [4] },
    })),
  );

  test.for<SpreadCase & { feasible: readonly string[]; want: object }>([
    {
      name: "the zones, and that hosts are counted one by one",
      nodes: three,
      constraints: [soft("zone"), soft(host)],
      feasible: abx,
      want: { ignored: [], counts: [{ zone1: 0, zone2: 0 }, {}], weights: [4, 5] },
    },
    {
      name: "the zones even without a selector",
      nodes: three,
      foo: "1/2/3",
      constraints: [soft("zone", { labelSelector: null })],
      feasible: abx,
      want: { ignored: [], counts: [{ zone1: 0, zone2: 0 }], weights: [4] },
    },
    {
      name: "which nodes lack a label",
      nodes: [place("a", { zone: "zone1" }), place("b", { zone: "zone1" }), place("x")],
      constraints: [soft("zone"), soft(host)],
      feasible: abx,
      want: { ignored: ["x"], counts: [{ zone1: 0 }, {}], weights: [3, 4] },
    },
    {
      name: "that the built-in defaults bear with nodes without a zone",
      nodes: martians,
      owner,
      replicaSets: [replicaSet("rs")],
      labels: { "pod-template-hash": "rs" },
      feasible: ["a", "b", "c", "d"],
      want: { ignored: [], counts: [{}, { mars: 0, "": 0 }], weights: [6, 4] },
    },
    {
      name: "the soft ones of the operator's defaults",
      nodes: [place("a", { planet: "mars", rack: "1" }), place("b", { planet: "venus", rack: "2" })],
      args: { defaultingType: "List", defaultConstraints: twoSoft },
      owner,
      replicaSets: [replicaSet("rs")],
      feasible: ["a", "b"],
      want: { ignored: [], counts: [{}, { mars: 0, venus: 0 }], weights: [4, 4] },
    },
    {
      name: "that the Pod's own constraints come before any defaults",
      nodes: [place("a", { planet: "mars" }), place("b", { planet: "mars" })],
      args: { defaultingType: "List", defaultConstraints: twoSoft },
      services: [service("web", { foo: "" })],
      constraints: [soft("planet")],
      feasible: ["a", "b"],
      want: { ignored: [], counts: [{ mars: 0 }], weights: [3] },
    },
    ...policyCases,
  ])("$name", ({ feasible, want, ...given }) => {
    const pod = podInfo(podOfCase(given));
    const known = answerFor(given, (cluster) => {
      const effective = effectiveConstraints(pod, cluster, given.args ?? { defaultingType: "System" });
      const constraints = effective.of("ScheduleAnyway");
      if (typeof constraints === "string") throw new Error(constraints);
      const spread = { constraints, needsAllKeys: effective.needsAllKeys, pod, cluster };
      const nodes = feasibleIn(cluster, feasible);
      const state = spreadState(spread, nodes);
      const isIgnored = ({ slot }: NodeInfo): boolean => lacksKey(slot, state.demanded);
      const scored = nodes.filter((node) => !isIgnored(node));
      return {
        ignored: nodes.filter(isIgnored).map(({ name }) => name),
        counts: state.constraints.map(({ column, perDomain }) =>
          perDomain === undefined
            ? {}
            : Object.fromEntries(
                scored
                  .map(({ slot }) => Math.max(column.domainOf[slot] ?? 0, emptyValue))
                  .map((domain) => [column.values[domain], perDomain[domain]]),
              ),
        ),
        // A weight is the logarithm of two more than there are domains.
        weights: state.constraints.map(({ weight }) => Math.round(Math.exp(weight))),
      };
    });
    expect(known).toEqual(want);
  });
});
