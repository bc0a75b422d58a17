import { describe, expect, test } from "vitest";
import { podInfo } from "./objects/pod-info.ts";
import { runPreFilter } from "./run-pre-filter.ts";
import { pluginSetOf } from "./plugin-entry.ts";
import { fails, fits, type PreFilterResult, type Plugin, unresolvable, unschedulable } from "./plugin.ts";
import { waitingPod } from "./plugin-fixture.cases.ts";
import { clusterViewOf } from "./view/list-view.ts";

const plugin = (name: string, result?: PreFilterResult): Plugin => ({ name, preFilter: () => result });
const preFilterBy = (...plugins: readonly Plugin[]) =>
  runPreFilter(
    podInfo(waitingPod()),
    clusterViewOf({ nodes: [] }),
    pluginSetOf(plugins.map((each) => ({ plugin: each, weight: 1 }))),
  );

test("plugins that skip have no filter", () => {
  const { filters, end, narrowedNodes } = preFilterBy(plugin("Silent"), plugin("Empty", {}));
  expect({ filters, end, narrowedNodes }).toEqual({ filters: [] });
});

test("PreFilter of a plugin that filters and scores runs once", () => {
  let runs = 0;
  const counting: Plugin = {
    name: "Counting",
    preFilter: () => {
      runs++;
      return { filter: () => fits };
    },
  };
  const other = plugin("Other", { filter: () => fits });
  const pluginSet = {
    filters: [counting, other],
    scorers: [
      { plugin: other, weight: 2 },
      { plugin: counting, weight: 3 },
    ],
  };
  const { filters } = runPreFilter(podInfo(waitingPod()), clusterViewOf({ nodes: [] }), pluginSet);
  expect(runs).toBe(1);
  expect(filters.map((each) => each.plugin)).toEqual(["Counting", "Other"]);
});

test("a plugin that only scores rejects nothing, and its state is kept", () => {
  const state = { constraints: [] };
  const rejecting = plugin("Rejecting", { refusal: unresolvable("no"), filter: () => fits, state });
  const pluginSet = { filters: [], scorers: [{ plugin: rejecting, weight: 1 }] };
  expect(runPreFilter(podInfo(waitingPod()), clusterViewOf({ nodes: [] }), pluginSet)).toEqual({
    filters: [],
    pluginStates: new Map([["Rejecting", state]]),
  });
});

describe("before any node is examined", () => {
  test("an unresolvable rejection ends it at once", () => {
    const { end } = preFilterBy(
      plugin("Maybe", { refusal: unschedulable("maybe") }),
      plugin("Never", { refusal: unresolvable("never") }),
      plugin("Broken", { refusal: fails("broken") }),
    );
    expect(end).toMatchObject({ kind: "rejects", plugins: ["Never"], reasons: ["never"] });
  });

  test("an unschedulable rejection is kept while the other plugins run", () => {
    const { end } = preFilterBy(plugin("Maybe", { refusal: unschedulable("maybe") }), plugin("Fine", {}));
    expect(end).toMatchObject({ kind: "rejects", plugins: ["Maybe"], reasons: ["maybe"] });
  });

  test("a plugin that fails ends it", () => {
    const { end } = preFilterBy(plugin("Broken", { refusal: fails("what is this?") }));
    expect(end).toEqual({ kind: "fails", plugin: "Broken", point: "PreFilter", message: "what is this?" });
  });

  test("the nodes that several plugins leave are those all of them leave", () => {
    const { narrowedNodes } = preFilterBy(
      plugin("Second", { nodeNames: new Set(["a", "b"]) }),
      plugin("First", { nodeNames: new Set(["b", "c"]) }),
    );
    expect(narrowedNodes).toEqual({ nodes: new Set(["b"]), plugins: ["First", "Second"] });
  });

  test("one plugin that leaves no node is named", () => {
    const { end } = preFilterBy(plugin("Only", { nodeNames: new Set() }));
    expect(end).toMatchObject({
      code: "UnschedulableAndUnresolvable",
      reasons: ["node(s) didn't satisfy plugin Only"],
      plugins: ["Only"],
    });
  });

  test("several plugins that leave no node together are named together", () => {
    const { end } = preFilterBy(
      plugin("Second", { nodeNames: new Set(["a"]) }),
      plugin("First", { nodeNames: new Set(["b"]) }),
    );
    expect(end).toMatchObject({
      reasons: ["node(s) didn't satisfy plugin(s) [First Second] simultaneously"],
      plugins: ["First", "Second"],
    });
  });
});
