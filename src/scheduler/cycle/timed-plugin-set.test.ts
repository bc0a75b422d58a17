import { expect, test } from "vitest";
import { pluginSetOf } from "../../decisions/placement/plugin-entry.ts";
import { placePod } from "../../decisions/placement/place-pod.ts";
import { fits, type Plugin } from "../../decisions/placement/plugin.ts";
import { podInfo } from "../../decisions/placement/objects/pod-info.ts";
import { clusterViewOf } from "../../decisions/placement/view/list-view.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import {
  type PluginTook,
  profiledPluginSet,
  type PluginEvaluated,
  timedPluginSet,
} from "./timed-plugin-set.ts";

/** A plugin that takes a while at everything, on a stopwatch that only it moves. */
function slowPlugins() {
  let now = 0;
  const take = (durationMs: number) => void (now += durationMs);
  const slow: Plugin = {
    name: "Slow",
    preFilter() {
      take(1);
      return { filter: () => (take(10), fits) };
    },
    preScore() {
      take(100);
      return { kind: "scores", score: () => (take(1000), 0) };
    },
  };
  const idle: Plugin = { name: "Idle", preFilter: () => undefined, preScore: () => undefined };
  const node = (name: string) => ({ metadata: { name, uid: name, resourceVersion: "1" }, spec: {} });
  return {
    stopwatch: () => now,
    pluginSet: pluginSetOf([
      { plugin: slow, weight: 1 },
      { plugin: idle, weight: 1 },
    ]),
    cluster: clusterViewOf({ nodes: [node("a"), node("b"), node("c")] }),
  };
}

const placing = { draw: () => 0 };

test("every extension point is timed as a whole", () => {
  const { stopwatch, pluginSet, cluster } = slowPlugins();
  const evaluations: Parameters<PluginEvaluated>[] = [];
  const timed = timedPluginSet(pluginSet, stopwatch, (...what) => evaluations.push(what));
  timed.begin();
  placePod(pod("p"), cluster, { pluginSet: timed.pluginSet, ...placing });
  expect(timed.times()).toEqual({ PreFilter: 1, Filter: 30, PreScore: 100, Score: 3000 });
  expect(evaluations).toEqual([
    ["Slow", "PreFilter"],
    ["Slow", "Filter"],
    ["Slow", "PreScore"],
    ["Slow", "Score"],
  ]);
});

test("a dry run with nominated Pods is part of Filter, whatever it runs", () => {
  const { stopwatch, pluginSet, cluster } = slowPlugins();
  const evaluations: Parameters<PluginEvaluated>[] = [];
  const timed = timedPluginSet(pluginSet, stopwatch, (...what) => evaluations.push(what));
  const nominated = podInfo(pod("nominated", { uid: "nominated" }));
  timed.begin();
  placePod(pod("p"), cluster, {
    pluginSet: timed.pluginSet,
    ...placing,
    nominatedPods: (name) => (name === "c" ? [nominated] : []),
  });
  expect(timed.times()).toMatchObject({ PreFilter: 1, Filter: 30 + 11 });
  expect(evaluations.filter(([, point]) => ["PreFilter", "Filter"].includes(point))).toHaveLength(2);
});

test("extension points that did not run have no time, even if they did in the placement before", () => {
  const { stopwatch, pluginSet, cluster } = slowPlugins();
  const timed = timedPluginSet(pluginSet, stopwatch, () => undefined);
  timed.begin();
  placePod(pod("p"), cluster, { pluginSet: timed.pluginSet, ...placing });
  timed.begin();
  placePod(pod("p"), clusterViewOf({ nodes: [] }), { pluginSet: timed.pluginSet, ...placing });
  expect(timed.times()).toEqual({ PreFilter: 1, Filter: 0 });
});

test("in detail, every call of every plugin is timed", () => {
  const { stopwatch, pluginSet, cluster } = slowPlugins();
  const took: Parameters<PluginTook>[] = [];
  const profiled = profiledPluginSet(pluginSet, stopwatch, (...what) => took.push(what));
  placePod(pod("p"), cluster, { pluginSet: profiled, ...placing });
  expect(took.filter(([plugin]) => plugin === "Slow").map(([, point, ms]) => `${point} ${ms}`)).toEqual([
    "PreFilter 1",
    "Filter 10",
    "Filter 10",
    "Filter 10",
    "PreScore 100",
    "Score 1000",
    "Score 1000",
    "Score 1000",
  ]);
});

test("in a large cluster, one call for a node stands for several", () => {
  const nodes = Array.from({ length: 64 }, (_, index) => node(`n${index}`));
  const { stopwatch, pluginSet } = slowPlugins();
  let [calls, filterMs] = [0, 0];
  const profiled = profiledPluginSet(pluginSet, stopwatch, (plugin, point, ms) => {
    if (plugin !== "Slow" || point !== "Filter") return;
    calls++;
    filterMs += ms;
  });
  placePod(pod("p"), clusterViewOf({ nodes }), { pluginSet: profiled, ...placing });
  expect({ calls, filterMs }).toEqual({ calls: 16 + 3, filterMs: 64 * 10 });
});

test("a placement is the same whether it is timed or not", () => {
  const { stopwatch, pluginSet, cluster } = slowPlugins();
  const plain = placePod(pod("p"), cluster, { pluginSet, ...placing });
  const timed = timedPluginSet(
    profiledPluginSet(pluginSet, stopwatch, () => undefined),
    stopwatch,
    () => undefined,
  );
  expect(placePod(pod("p"), cluster, { pluginSet: timed.pluginSet, ...placing })).toEqual(plain);
});
