import { expect, test } from "vitest";
import type { Service } from "../../api/generated/core-v1.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { defaultPlugins } from "./default-plugins.ts";
import { explainPlacement } from "./explain-placement.ts";
import { pluginSetOf } from "./plugin-entry.ts";
import { placePod } from "./place-pod.ts";
import { type Waiting, waitingPod } from "./plugin-fixture.cases.ts";
import { podTopologySpread } from "./pod-topology-spread/plugin.ts";
import { selectorSpread } from "./selector-spread/plugin.ts";
import { clusterViewOf, type PlacementObjects } from "./view/list-view.ts";

const web: Service = {
  metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1" },
  spec: { selector: { app: "web" } },
};
const zone = "topology.kubernetes.io/zone";
const all = pluginSetOf(defaultPlugins());
const place = (waiting: Waiting, cluster: PlacementObjects, pluginSet = all) =>
  placePod(waitingPod(waiting), clusterViewOf(cluster), { pluginSet, draw: () => 0 });

test("a placement says where it comes from, what every node is worth and how ties were settled", () => {
  const spread = { plugin: podTopologySpread(), weight: 2 };
  const nodes = [
    node("a", { zone: "1" }),
    node("b", { zone: "2" }),
    node("c", { zone: "2" }),
    node("d", { unschedulable: true }),
  ];
  const cluster = {
    nodes,
    pods: [pod("p", { node: "a" })],
    services: [web],
    replicaSets: [replicaSet("rs")],
  };
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs" };
  const pluginSet = { filters: all.filters, scorers: [spread] };
  const placement = place({ owner, labels: { "pod-template-hash": "rs" } }, cluster, pluginSet);
  const explanation = explainPlacement(placement);

  expect(explanation).toEqual({
    pod: { namespace: "default", name: "waiting", uid: "uid-of-waiting" },
    outcome: { kind: "placed", node: "c", by: { kind: "score", total: 200, best: ["a", "b", "c"] } },
    constraints: [
      {
        maxSkew: 3,
        topologyKey: "kubernetes.io/hostname",
        whenUnsatisfiable: "ScheduleAnyway",
        minDomains: 1,
        nodeAffinityPolicy: "Honor",
        nodeTaintsPolicy: "Ignore",
        selector: "app=web,pod-template-hash=rs",
        source: "built-in",
      },
      {
        maxSkew: 5,
        topologyKey: zone,
        whenUnsatisfiable: "ScheduleAnyway",
        minDomains: 1,
        nodeAffinityPolicy: "Honor",
        nodeTaintsPolicy: "Ignore",
        selector: "app=web,pod-template-hash=rs",
        source: "built-in",
      },
    ],
    selector: {
      selector: "app=web,pod-template-hash=rs",
      from: [
        { kind: "Service", name: "web" },
        { kind: "ReplicaSet", name: "rs" },
      ],
    },
    nodes: ["c", "a", "b"]
      .map((name): object => ({
        node: name,
        verdict: name === "c" ? "chosen" : "possible",
        total: 200,
        scores: [{ plugin: "PodTopologySpread", raw: 6, normalized: 100, weight: 2 }],
      }))
      .concat({
        node: "d",
        verdict: "refused",
        because: {
          kind: "rejects",
          code: "UnschedulableAndUnresolvable",
          reasons: ["node(s) were unschedulable"],
          plugins: ["NodeUnschedulable"],
        },
      }),
    notLookedAt: { nodes: 0 },
  });
  expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
});

test("SelectorSpread says what it goes by, too", () => {
  const pluginSet = pluginSetOf([{ plugin: selectorSpread, weight: 1 }]);
  const explanation = explainPlacement(
    place({}, { nodes: [node("a"), node("b")], services: [web] }, pluginSet),
  );
  expect(explanation.selector).toEqual({ selector: "app=web", from: [{ kind: "Service", name: "web" }] });
});
