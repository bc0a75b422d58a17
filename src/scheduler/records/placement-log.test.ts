import { describe, expect, test } from "vitest";
import { toPlacementRecord } from "../../decisions/explain/placement-record.ts";
import { defaultPlugins } from "../../decisions/placement/default-plugins.ts";
import { pluginSetOf } from "../../decisions/placement/plugin-entry.ts";
import { placePod } from "../../decisions/placement/place-pod.ts";
import { cacheOf } from "../cache/scheduler-cache.cases.ts";
import { clusterViewOf } from "../../decisions/placement/view/list-view.ts";
import { pod } from "../../testing/pod.ts";
import { PlacementLog } from "./placement-log.ts";

const node = (name: string, cordoned = false) => ({
  metadata: { name, uid: name, resourceVersion: "1", labels: { "kubernetes.io/hostname": name } },
  spec: { unschedulable: cordoned },
  status: { allocatable: { cpu: "4", memory: "8Gi", pods: "10" } },
});
const service = {
  metadata: { name: "web", namespace: "default", uid: "s", resourceVersion: "1" },
  spec: { selector: { app: "web" } },
};
const view = clusterViewOf({ nodes: [node("a"), node("b"), node("c", true)], services: [service] });

function made(name: string, namespace = "default", cluster = view) {
  const pluginSet = pluginSetOf(defaultPlugins());
  const placement = placePod(pod(name, { namespace, uid: `${namespace}/${name}`, node: null }), cluster, {
    pluginSet,
    draw: () => 0,
  });
  return { placement, at: 1_767_225_600_000, profile: "default-scheduler", attempt: 1 };
}

describe("a placement that is remembered", () => {
  test("is listed without its nodes, the newest first and up to a limit, where that is asked for", () => {
    const records = new PlacementLog();
    for (const name of ["a", "b", "c"]) records.add(made(name));
    const found = records.find({ withNodes: false, limit: 2 });
    expect(found.map(({ pod: { name }, nodes, nodesOmitted }) => ({ name, nodes, nodesOmitted }))).toEqual([
      { name: "c", nodes: [], nodesOmitted: 3 },
      { name: "b", nodes: [], nodesOmitted: 3 },
    ]);
    expect(found[0]?.summary).toBe(records.find({ name: "c" })[0]?.summary);
  });

  test("says which constraints applied and why, how every node did, and how the tie was settled", () => {
    const records = new PlacementLog();
    records.add(made("a"));
    const [record] = records.find({ namespace: "default", name: "a" });
    expect(record).toMatchObject({
      at: "2026-01-01T00:00:00.000000Z",
      profile: "default-scheduler",
      attempt: 1,
      pod: { namespace: "default", name: "a" },
      constraints: [
        { topologyKey: "kubernetes.io/hostname", source: "built-in", selector: "app=web" },
        { topologyKey: "topology.kubernetes.io/zone", source: "built-in", selector: "app=web" },
      ],
      selector: { selector: "app=web", from: [{ kind: "Service", name: "web" }] },
      outcome: { kind: "placed", node: "b", by: { kind: "score", best: ["a", "b"] } },
    });
    expect(record?.summary).toMatch(/^b: best of 2 with \d+, drawn from 2 as good$/);
    expect(record?.spread[0]).toBe(
      "Pods with app=web should be spread by kubernetes.io/hostname, at most 3 more in one than in another (the built-in defaults, for Service web)",
    );
    expect(record?.nodes.find((each) => each.node === "c")).toMatchObject({
      verdict: "refused",
      because: { plugins: ["NodeUnschedulable"], reasons: ["node(s) were unschedulable"] },
    });
    const chosen = record?.nodes[0];
    expect(chosen?.verdict === "chosen" && chosen.scores.map(({ plugin }) => plugin)).toContain(
      "PodTopologySpread",
    );
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  test("is replaced by the next one of the same Pod", () => {
    const records = new PlacementLog();
    records.add(made("a"));
    records.add({ ...made("a"), attempt: 2 });
    expect(records.find({}).map(({ attempt }) => attempt)).toEqual([2]);
  });

  test("loses the table of its nodes when there are 200 after it, and says so", () => {
    const records = new PlacementLog();
    for (let index = 0; index <= 200; index++) records.add(made(`p${index}`));
    const [second] = records.find({ name: "p1" });
    const [first] = records.find({ name: "p0" });
    expect(second?.nodes).toHaveLength(3);
    expect(second).not.toHaveProperty("nodesOmitted");
    expect(first).toMatchObject({
      nodes: [],
      nodesOmitted: 3,
      summary: second?.summary,
      spread: second?.spread,
      outcome: { kind: "placed", node: "b", by: { kind: "score", best: [] } },
    });
  });

  test.for([
    { name: "fewer nodes, all feasible", nodes: [node("x"), node("y")] },
    { name: "one node, which is not compared", nodes: [node("x"), node("y", true)] },
    { name: "no feasible node", nodes: [node("x", true)] },
    { name: "more nodes", nodes: ["v", "w", "x", "y", "z"].map((name) => node(name)) },
  ])("is told like any other in the memory of an earlier one: $name", ({ nodes }) => {
    const decision = made("a", "default", clusterViewOf({ nodes }));
    const used = new PlacementLog();
    for (let index = 0; index < 200; index++) used.add(made(`p${index}`));
    const fresh = new PlacementLog();
    for (const records of [used, fresh]) records.add(decision);
    expect(used.find({ name: "a" })).toEqual(fresh.find({ name: "a" }));
    expect(fresh.find({ name: "a" })).toEqual([toPlacementRecord(decision)]);
  });

  test("tells why a node was refused as it was then, although the node has changed since", () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: "kubernetes.io/hostname",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "web" } },
    };
    const pods = ["p", "q"].map((name) => pod(name, { node: "a" }));
    const cache = cacheOf({ nodes: [node("a"), node("b")], pods });
    const waiting = pod("waiting", { node: null, spec: { topologySpreadConstraints: [constraint] } });
    const pluginSet = pluginSetOf(defaultPlugins());
    const placement = placePod(waiting, cache.view, { pluginSet, draw: () => 0 });
    const records = new PlacementLog();
    records.add({ ...made("other"), placement });
    const before = records.find({ name: "waiting" });
    cache.setNode({ ...node("a"), metadata: { ...node("renamed").metadata, name: "a" } });
    expect(records.find({ name: "waiting" })).toEqual(before);
    expect(before[0]?.nodes.find((each) => each.node === "a")).toMatchObject({
      because: {
        detail: "skew of kubernetes.io/hostname=a would be 3, at most 1: 2 there, 0 in the emptiest",
      },
    });
  });

  test("is forgotten with its Pod, once it has no table", () => {
    const records = new PlacementLog();
    records.add(made("gone"));
    records.forget("default/gone");
    expect(records.find({ name: "gone" })).toHaveLength(1);
    for (let index = 0; index < 200; index++) records.add(made(`p${index}`));
    expect(records.find({ name: "gone" })).toHaveLength(0);
    records.add(made("last"));
    expect(records.size).toBe(201);
    records.forget("default/p0");
    expect(records.size).toBe(200);
  });

  test("keeps scores that are no whole numbers", () => {
    const records = new PlacementLog();
    const { placement, ...decision } = made("a");
    const columns = [{ plugin: "Half", weight: 1, raw: [-1, 70_000], normalized: [0.5, 99] }];
    records.add({ ...decision, placement: { ...placement, scored: { ...placement.scored, columns } } });
    const scores = records.find({})[0]?.nodes.flatMap((node) => ("scores" in node ? node.scores : []));
    expect(scores?.map(({ raw, normalized }) => [raw, normalized])).toEqual(
      expect.arrayContaining([
        [-1, 0.5],
        [70_000, 99],
      ]),
    );
  });
});

describe("what is remembered is found", () => {
  const records = new PlacementLog();
  records.add(made("a"));
  records.add(made("a", "other"));
  records.add(made("b"));

  test.for([
    { name: "by nothing", by: {}, want: ["default/b", "other/a", "default/a"] },
    { name: "by namespace", by: { namespace: "default", name: "" }, want: ["default/b", "default/a"] },
    { name: "by both", by: { namespace: "default", name: "a" }, want: ["default/a"] },
    { name: "by name", by: { name: "a" }, want: ["other/a", "default/a"] },
    { name: "or not", by: { name: "none" }, want: [] },
  ])("$name", ({ by, want }) => {
    expect(records.find(by).map(({ pod }) => `${pod.namespace}/${pod.name}`)).toEqual(want);
  });
});
