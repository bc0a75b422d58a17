import { describe, expect, test } from "vitest";
import { defaultPlugins } from "../placement/default-plugins.ts";
import { pluginSetOf } from "../placement/plugin-set.ts";
import { placePod } from "../placement/place-pod.ts";
import { snapshotOf } from "../placement/snapshot/snapshot.ts";
import { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import { pod } from "../../testing/pod.ts";
import { placementEncoder } from "./placement-record.ts";

const node = (name: string, cordoned = false) => ({
  metadata: { name, uid: name, resourceVersion: "1", labels: { "kubernetes.io/hostname": name } },
  spec: { unschedulable: cordoned },
  status: { allocatable: { cpu: "4", memory: "8Gi", pods: "10" } },
});
const service = {
  metadata: { name: "web", namespace: "default", uid: "s", resourceVersion: "1" },
  spec: { selector: { app: "web" } },
};
const snapshot = snapshotOf({ nodes: [node("a"), node("b"), node("c", true)], services: [service] });

function made(name: string, namespace = "default") {
  const pluginSet = pluginSetOf(defaultPlugins());
  const placement = placePod(pod(name, { namespace, uid: `${namespace}/${name}`, node: null }), snapshot, {
    pluginSet,
    draw: () => 0,
  });
  return { placement, at: 1_767_225_600_000, profile: "default-scheduler", attempt: 1 };
}

describe("a placement that is remembered", () => {
  test("says which constraints applied and why, how every node did, and how the tie was settled", () => {
    const records = new DecisionLog(placementEncoder);
    records.add(made("a"));
    const [record] = records.find({ namespace: "default", name: "a" });
    expect(record).toMatchObject({
      at: "2026-01-01T00:00:00Z",
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
      "Pods with app=web should be within 3 of each other per kubernetes.io/hostname (the built-in defaults, for Service web)",
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
    const records = new DecisionLog(placementEncoder);
    records.add(made("a"));
    records.add({ ...made("a"), attempt: 2 });
    expect(records.find({}).map(({ attempt }) => attempt)).toEqual([2]);
  });

  test("is forgotten when there are too many after it", () => {
    const records = new DecisionLog(placementEncoder, { weight: 2 * 20 });
    for (const name of ["a", "b", "c"]) records.add(made(name));
    expect(records.find({}).map((each) => each.pod.name)).toEqual(["c", "b"]);
  });

  test("weighs as much as it has nodes, and at least 20", () => {
    const { placement, ...rest } = made("a");
    const feasible = Array.from({ length: 99 }, (_, index) => `node-${index}`);
    expect(placementEncoder.weight(made("a"))).toBe(20);
    expect(placementEncoder.weight({ ...rest, placement: { ...placement, feasible } })).toBe(100);
  });
});

describe("what is remembered is found", () => {
  const records = new DecisionLog(placementEncoder);
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
