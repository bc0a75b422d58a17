import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { selectionOf } from "../../api/labels/label-selector.ts";
import type { ClusterView } from "../../decisions/placement/view/cluster-view.ts";
import { clusterViewOf, lookupsIn } from "../../decisions/placement/view/list-view.ts";
import { pod } from "../../testing/pod.ts";
import { LiveCounter } from "./columns/live-counter.ts";
import { SchedulerCache } from "./scheduler-cache.ts";

const lookups = lookupsIn({});
const zoneKey = "topology.kubernetes.io/zone";

const node = (name: string, zone = "a", images: readonly string[] = []): Node => ({
  metadata: { name, uid: name, resourceVersion: "1", labels: { [zoneKey]: zone } },
  spec: {},
  status: { allocatable: { cpu: "4", pods: "10" }, images: images.map((image) => ({ names: [image] })) },
});

function cacheWith(...nodes: readonly Node[]): SchedulerCache {
  const cache = new SchedulerCache(lookups);
  for (const each of nodes) cache.setNode(each);
  return cache;
}

const names = (cache: SchedulerCache) => cache.view.nodes.map(({ name }) => name);
const podsOn = (cache: SchedulerCache, name: string) =>
  cache.view.nodes.find((each) => each.name === name)?.pods.map((each) => each.name);

describe("nodes", () => {
  test("take turns by zone, in the order in which they came", () => {
    const cache = cacheWith(
      node("a1"),
      node("a2"),
      node("b1", "b"),
      node("a3"),
      node("c1", "c"),
      node("b2", "b"),
    );
    expect(names(cache)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  test("that change their zone change their turn", () => {
    const cache = cacheWith(node("a1"), node("a2"), node("b1", "b"));
    cache.setNode(node("a1", "b"));
    expect(names(cache)).toEqual(["a2", "b1", "a1"]);
    expect(cache.view.nodes[2]?.labels?.[zoneKey]).toBe("b");
  });

  test("that are gone are not looked at, and their Pods are back when they are", () => {
    const cache = cacheWith(node("n"), node("m"));
    cache.setPod(pod("p", { node: "n" }));
    cache.removeNode("n");
    expect(names(cache)).toEqual(["m"]);
    expect(cache.counts).toEqual({ nodes: 1, pods: 1, assumed_pods: 0 });
    cache.setNode(node("n"));
    expect(podsOn(cache, "n")).toEqual(["p"]);
    cache.removeNode("n");
    cache.removePod("uid-of-p");
    cache.setNode(node("n"));
    expect(podsOn(cache, "n")).toEqual([]);
  });

  test("may be heard of after their Pods", () => {
    const cache = cacheWith();
    cache.setPod(pod("p", { node: "n" }));
    expect(names(cache)).toEqual([]);
    cache.setNode(node("n"));
    expect(podsOn(cache, "n")).toEqual(["p"]);
  });

  test("are counted by their images", () => {
    const cache = cacheWith(node("n", "a", ["x:1"]), node("m", "a", ["x:1", "y:1"]));
    expect(cache.view.nodesWithImage("x:1")).toBe(2);
    cache.setNode(node("n", "a"));
    expect(cache.view.nodesWithImage("x:1")).toBe(1);
  });
});

describe("a Pod", () => {
  const waiting = pod("p", { node: null });

  test("takes up room as soon as it is assumed, and none when it is forgotten", () => {
    const cache = cacheWith(node("n"));
    expect(cache.assume(waiting, "n")).toBe(true);
    expect(podsOn(cache, "n")).toEqual(["p"]);
    expect(cache.counts).toEqual({ nodes: 1, pods: 1, assumed_pods: 1 });
    expect(cache.forget("uid-of-p")?.spec.nodeName).toBe("n");
    expect(podsOn(cache, "n")).toEqual([]);
    expect(cache.counts).toEqual({ nodes: 1, pods: 0, assumed_pods: 0 });
  });

  test("is not assumed twice", () => {
    const cache = cacheWith(node("n"), node("m"));
    cache.assume(waiting, "n");
    expect(cache.assume(waiting, "m")).toBe(false);
    expect(podsOn(cache, "m")).toEqual([]);
  });

  test("is no longer forgotten once it is confirmed", () => {
    const cache = cacheWith(node("n"));
    cache.assume(waiting, "n");
    cache.setPod(pod("p", { node: "n" }));
    expect(cache.forget("uid-of-p")).toBeUndefined();
    expect(podsOn(cache, "n")).toEqual(["p"]);
  });

  test("is where the API server says, not where it was thought to be", () => {
    const cache = cacheWith(node("n"), node("m"));
    cache.assume(waiting, "n");
    cache.setPod(pod("p", { node: "m" }));
    expect([podsOn(cache, "n"), podsOn(cache, "m")]).toEqual([[], ["p"]]);
    expect(cache.isAssumed("uid-of-p")).toBe(false);
  });
});

test("counting again names a counter that is wrong", () => {
  const cache = new SchedulerCache(lookups);
  cache.setNode(node("n"));
  const web = selectionOf([{ operator: "=", key: "app", value: "web" }]);
  const counter = cache.view.columns.counter("default", web);
  cache.setPod(pod("p", { node: "n" }));
  expect(cache.recount()).toBeUndefined();
  if (counter instanceof LiveCounter) counter.perNode[0] = 7;
  expect(cache.recount()).toMatch(/^the number of Pods in default with .* on n is 1, not 7$/);
});

test("after any changes the view is the one of the objects themselves", () => {
  const nodeNames = ["n0", "n1", "n2"];
  const name = fc.constantFrom(...nodeNames);
  const podName = fc.constantFrom("p", "q", "r", "s");
  type Model = { cache: SchedulerCache; nodes: Map<string, Node>; pods: Map<string, Pod> };
  const step = fc.oneof(
    fc.tuple(name, fc.constantFrom("a", "b")).map(([each, zone]) => (model: Model) => {
      model.cache.setNode(node(each, zone));
      model.nodes.set(each, node(each, zone));
    }),
    name.map((each) => (model: Model) => {
      model.cache.removeNode(each);
      model.nodes.delete(each);
    }),
    fc.tuple(podName, name).map(([each, on]) => (model: Model) => {
      model.cache.setPod(pod(each, { node: on }));
      model.pods.set(each, pod(each, { node: on }));
    }),
    podName.map((each) => (model: Model) => {
      model.cache.removePod(`uid-of-${each}`);
      model.pods.delete(each);
    }),
    fc.constant(({ cache }: Model) => void cache.view.nodes),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (changes) => {
      const model: Model = { cache: new SchedulerCache(lookups), nodes: new Map(), pods: new Map() };
      for (const take of changes) take(model);
      const fresh = clusterViewOf({ nodes: [...model.nodes.values()], pods: [...model.pods.values()] });
      const byName = (cluster: ClusterView) =>
        Object.fromEntries(
          cluster.nodes.map(({ name: each, labels, allocatable, requested, nonZeroRequested, pods }) => [
            each,
            {
              labels,
              allocatable,
              requested,
              nonZeroRequested,
              pods: pods.map((facts) => facts.name).sort(),
            },
          ]),
        );
      expect(byName(model.cache.view)).toEqual(byName(fresh));
    }),
  );
});
