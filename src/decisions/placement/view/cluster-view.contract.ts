import { describe, expect, test } from "vitest";
import { everything, nothing, selectionOf } from "../../../api/labels/label-selector.ts";
import { zoneLabel as zone } from "../../../api/well-known.ts";
import { node } from "../../../testing/node.ts";
import { pod, type PodTraits } from "../../../testing/pod.ts";
import { podInfo } from "../objects/pod-info.ts";
import type { NumberColumn } from "./cluster-columns.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { PlacementObjects } from "./list-view.ts";
import { NodeMemo } from "./node-memo.ts";
import { perTemplate } from "./placement-template.ts";

const web = selectionOf([{ operator: "=", key: "app", value: "web" }]);

const requesting = (cpu: string, traits: PodTraits = {}): PodTraits => ({
  ...traits,
  spec: {
    containers: [
      { name: "app", resources: { requests: { cpu } }, ports: [{ containerPort: 80, hostPort: 80 }] },
    ],
  },
});

/** Three nodes in two zones and one in none; `a` has two Pods of `web`, `c` has one. */
const nodes = [node("a", { zone: "1" }), node("b", { zone: "2" }), node("c", { zone: "1" }), node("d")];
const pods = [
  pod("p", requesting("1", { node: "a" })),
  pod("q", requesting("500m", { node: "a" })),
  pod("r", { node: "c" }),
  pod("leaving", { node: "c", deletedAt: "2026-01-01T00:00:00Z" }),
  pod("of-another-namespace", { node: "b", namespace: "other" }),
  pod("of-another-app", { node: "b", labels: { app: "db" } }),
];

/** A column by names of nodes. */
function byName(
  { nodes: all }: ClusterView,
  column: NumberColumn,
): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(all.map(({ name, slot }) => [name, column[slot]]));
}

/** The totals of `web` in every zone, and the smallest of them. */
function zoneTotals({ columns }: ClusterView) {
  const column = columns.topology(zone);
  const { perDomain, minimum } = columns.counter("default", web).totalsBy(zone);
  const totals = column.values
    .map((value, domain) => [value, domain] as const)
    .filter(([, domain]) => column.hasNode(domain))
    .map(([value, domain]) => [value, perDomain[domain] ?? 0]);
  return { ...Object.fromEntries(totals), minimum };
}

/** Everything that Pods change. */
function countsOf(view: ClusterView) {
  const { columns } = view;
  const { requested, nonZeroRequested } = columns.resource("cpu");
  return {
    web: byName(view, columns.counter("default", web).perNode),
    zones: zoneTotals(view),
    cpu: byName(view, requested),
    cpuWithDefaults: byName(view, nonZeroRequested),
    pods: byName(view, columns.nodes.podCount),
    names: Object.fromEntries(
      view.nodes.map(({ name, pods: all }) => [name, all.map((each) => each.name).sort()]),
    ),
    withAffinity: [...columns.nodesWithAffinity].map(({ name }) => name),
  };
}

function nodeOf({ nodes: all }: ClusterView, name: string) {
  const found = all.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no node ${name}`);
  return found;
}

/** The contract of every view of a cluster. */
export function clusterViewContract(kind: string, viewOf: (objects: PlacementObjects) => ClusterView): void {
  describe(`a ${kind} view`, () => {
    test("sums up the Pods of every node, but for those that ended or are elsewhere", () => {
      const others = [
        pod("ended", requesting("1", { node: "a", phase: "Failed" })),
        pod("elsewhere", requesting("1", { node: "gone" })),
        pod("waiting", { node: null }),
      ];
      const view = viewOf({ nodes, pods: [...pods, ...others] });
      const { pods: all, requested, nonZeroRequested, hostPorts } = nodeOf(view, "a");
      expect(all.map(({ name }) => name)).toEqual(["p", "q"]);
      expect(requested).toEqual(new Map([["cpu", 1500]]));
      expect(nonZeroRequested.get("memory")).toBe(2 * 200 * 2 ** 20);
      expect(hostPorts).toHaveLength(2);
      expect(nodeOf(view, "d").pods).toEqual([]);
    });

    test("has what it reads of nodes in columns", () => {
      const taints = [{ key: "k", effect: "NoSchedule" }];
      const view = viewOf({
        nodes: [node("a", { unschedulable: true }), node("b", { taints, allocatable: { pods: 5, cpu: 2 } })],
      });
      const { isUnschedulable, isTainted, podCount, allowedPods } = view.columns.nodes;
      expect(byName(view, isUnschedulable)).toEqual({ a: 1, b: 0 });
      expect(byName(view, isTainted)).toEqual({ a: 0, b: 1 });
      expect(byName(view, podCount)).toEqual({ a: 0, b: 0 });
      expect(byName(view, allowedPods)).toEqual({ a: 110, b: 5 });
      expect(byName(view, view.columns.resource("cpu").allocatable)).toEqual({ a: 4000, b: 2000 });
      expect(byName(view, view.columns.resource("example.com/gpu").allocatable)).toEqual({ a: 0, b: 0 });
    });

    test("numbers the domains of a topology key, and knows which nodes lack it", () => {
      const view = viewOf({ nodes: [...nodes, node("e", { labels: { [zone]: "" } })] });
      const column = view.columns.topology(zone);
      const values = Object.entries(byName(view, column.domainOf)).map(([name, domain]) => [
        name,
        column.values[domain ?? -1],
      ]);
      expect(Object.fromEntries(values)).toEqual({ a: "1", b: "2", c: "1", d: undefined, e: "" });
      expect(column).toMatchObject({ key: zone, nodesWithoutKey: 1, domains: 3 });
    });

    test("has no node in the domain of the empty value, unless one has that value", () => {
      const hasEmpty = (labels: Readonly<Record<string, string>>) =>
        viewOf({ nodes: [node("a", { labels })] })
          .columns.topology("rack")
          .hasNode(0);
      expect([hasEmpty({}), hasEmpty({ rack: "1" }), hasEmpty({ rack: "" })]).toEqual([false, false, true]);
    });

    test("counts the Pods of a namespace that a selection matches, without terminating ones", () => {
      const view = viewOf({ nodes, pods });
      expect(byName(view, view.columns.counter("default", web).perNode)).toEqual({ a: 2, b: 0, c: 1, d: 0 });
      expect(byName(view, view.columns.counter("other", web).perNode)).toEqual({ a: 0, b: 1, c: 0, d: 0 });
      expect(zoneTotals(view)).toEqual({ 1: 3, 2: 0, minimum: 0 });
    });

    test.for([
      { name: "an absent selector", selection: nothing },
      { name: "a selector without requirements", selection: everything },
    ])("counts no Pod by $name", ({ selection }) => {
      const view = viewOf({ nodes, pods });
      const counter = view.columns.counter("default", selection);
      expect(byName(view, counter.perNode)).toEqual({ a: 0, b: 0, c: 0, d: 0 });
      expect(counter.totalsBy(zone).minimum).toBe(0);
    });

    test("has a minimum of 0 where no node has the key", () => {
      const { columns } = viewOf({ nodes, pods });
      expect(columns.counter("default", web).totalsBy("rack").minimum).toBe(0);
      expect(columns.topology("rack")).toMatchObject({ domains: 0, nodesWithoutKey: 4 });
    });

    test("counts the nodes that have an image", () => {
      const images = [{ names: ["app:1", "app@sha256:1"], sizeBytes: 5 }];
      const view = viewOf({ nodes: [node("a", { images }), node("b", { images }), node("c")] });
      expect(["app:1", "app@sha256:1", "other"].map(view.nodesWithImage)).toEqual([2, 2, 0]);
    });

    test("knows the labels of namespaces, and none of those it has not seen", () => {
      const metadata = { name: "red", uid: "u", resourceVersion: "1", labels: { team: "red" } };
      const { namespaceLabels } = viewOf({ nodes: [], namespaces: [{ metadata, spec: {} }] });
      expect([namespaceLabels("red"), namespaceLabels("blue")]).toEqual([{ team: "red" }, undefined]);
    });
  });

  describe(`a dry run of a ${kind} view`, () => {
    const affinity = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone }] },
    };
    const near = podInfo(pod("near", { node: null, spec: { affinity } }));

    test("shows the Pods that a node is assumed to have, and leaves the view as it was", () => {
      const view = viewOf({ nodes, pods });
      const before = countsOf(view);
      const b = nodeOf(view, "b");
      view.dryRun(b, { with: [near], without: b.pods.slice(0, 1) }, (assumed) => {
        expect(assumed.node.pods.map(({ name }) => name)).toEqual(["of-another-app", "near"]);
        const { web: perNode, zones, pods: podCount, withAffinity } = countsOf(assumed.cluster);
        expect(perNode).toEqual({ a: 2, b: 1, c: 1, d: 0 });
        expect(zones).toEqual({ 1: 3, 2: 1, minimum: 1 });
        expect(podCount).toEqual({ a: 2, b: 2, c: 2, d: 0 });
        expect(withAffinity).toEqual(["b"]);
      });
      expect(countsOf(view)).toEqual(before);
    });

    test("adds and removes Pods one at a time", () => {
      const view = viewOf({ nodes, pods });
      const before = countsOf(view);
      const a = nodeOf(view, "a");
      const [p, q] = a.pods;
      if (p === undefined || q === undefined) throw new Error("the node has two Pods");
      const cpuOf = ({ cluster }: { readonly cluster: ClusterView }) => countsOf(cluster).cpu["a"];
      const seen = view.dryRun(a, { without: [p, q] }, (assumed) => {
        const empty = cpuOf(assumed);
        assumed.addPod(q);
        const withOne = cpuOf(assumed);
        assumed.addPod(p);
        const withBoth = cpuOf(assumed);
        assumed.removePod(q);
        return [empty, withOne, withBoth, cpuOf(assumed)];
      });
      expect(seen).toEqual([0, 500, 1500, 1000]);
      expect(countsOf(view)).toEqual(before);
      expect(nodeOf(view, "a").pods).toEqual([p, q]);
    });

    test("does not add a Pod again that the node has", () => {
      const view = viewOf({ nodes, pods });
      const a = nodeOf(view, "a");
      const counted = view.dryRun(a, { with: a.pods }, ({ cluster }) => countsOf(cluster));
      expect(counted).toEqual(countsOf(view));
    });

    test("is part of another", () => {
      const view = viewOf({ nodes, pods });
      const before = countsOf(view);
      const inner = view.dryRun(nodeOf(view, "a"), { without: nodeOf(view, "a").pods }, ({ cluster }) =>
        cluster.dryRun(nodeOf(cluster, "b"), { with: [near] }, (both) => countsOf(both.cluster).web),
      );
      expect(inner).toEqual({ a: 0, b: 1, c: 1, d: 0 });
      expect(countsOf(view)).toEqual(before);
    });

    test("computes again what is kept per template and node", () => {
      const view = viewOf({ nodes, pods });
      const podsOn = perTemplate(
        (_, columns) => new NodeMemo(columns, (slot) => columns.nodes.podCount[slot] ?? -1),
      );
      const read = (cluster: ClusterView) => podsOn(near, cluster).read()(nodeOf(cluster, "b"));
      const assumed = () => view.dryRun(nodeOf(view, "b"), { with: [near] }, ({ cluster }) => read(cluster));
      expect([read(view), assumed(), read(view), assumed()]).toEqual([2, 3, 2, 3]);
    });
  });
}
