import { describe, expect, test } from "vitest";
import { podInfo } from "./snapshot/pod-info.ts";
import { runPreFilter } from "./run-pre-filter.ts";
import { pluginSetOf } from "./plugin-set.ts";
import { fails, fits, type PreFilterResult, type Plugin, unresolvable, unschedulable } from "./plugin.ts";
import { waitingPod } from "./plugin-fixture.cases.ts";
import { snapshotOf } from "./snapshot/snapshot.ts";

const plugin = (name: string, opinion?: PreFilterResult): Plugin => ({ name, preFilter: () => opinion });
const consider = (...plugins: readonly Plugin[]) =>
  runPreFilter(
    podInfo(waitingPod()),
    snapshotOf({ nodes: [] }),
    pluginSetOf(plugins.map((each) => ({ plugin: each, weight: 1 }))),
  );

test("plugins without an opinion are not asked again", () => {
  const { filters, scorings, end, narrowedNodes } = consider(plugin("Silent"), plugin("Empty", {}));
  expect({ filters, scorings, end, narrowedNodes }).toEqual({ filters: [], scorings: [] });
});

test("a plugin is asked once for filtering and scoring, and keeps its place in both", () => {
  let asked = 0;
  const counting: Plugin = {
    name: "Counting",
    preFilter: () => {
      asked++;
      return { filter: () => fits, preScore: () => undefined };
    },
  };
  const other = plugin("Other", { filter: () => fits, preScore: () => undefined });
  const lineup = {
    filters: [counting, other],
    scorers: [
      { plugin: other, weight: 2 },
      { plugin: counting, weight: 3 },
    ],
  };
  const considered = runPreFilter(podInfo(waitingPod()), snapshotOf({ nodes: [] }), lineup);
  expect(asked).toBe(1);
  expect(considered.filters.map((each) => each.plugin)).toEqual(["Counting", "Other"]);
  expect(considered.scorings.map((each) => [each.plugin, each.weight])).toEqual([
    ["Other", 2],
    ["Counting", 3],
  ]);
});

test("a plugin that only scores does not refuse", () => {
  const refusing = plugin("Refusing", { refusal: unresolvable("no") });
  const lineup = { filters: [], scorers: [{ plugin: refusing, weight: 1 }] };
  expect(runPreFilter(podInfo(waitingPod()), snapshotOf({ nodes: [] }), lineup).end).toBeUndefined();
});

describe("before any node is looked at", () => {
  test("a final no ends it there and then", () => {
    const { end } = consider(
      plugin("Maybe", { refusal: unschedulable("maybe") }),
      plugin("Never", { refusal: unresolvable("never") }),
      plugin("Broken", { refusal: fails("broken") }),
    );
    expect(end).toMatchObject({ kind: "rejects", plugins: ["Never"], reasons: ["never"] });
  });

  test("a no that could change is remembered while the others are heard", () => {
    const { end } = consider(plugin("Maybe", { refusal: unschedulable("maybe") }), plugin("Fine", {}));
    expect(end).toMatchObject({ kind: "rejects", plugins: ["Maybe"], reasons: ["maybe"] });
  });

  test("a plugin that fails ends it", () => {
    const { end } = consider(plugin("Broken", { refusal: fails("what is this?") }));
    expect(end).toEqual({ kind: "fails", plugin: "Broken", point: "PreFilter", message: "what is this?" });
  });

  test("the nodes that several plugins leave are those all of them leave", () => {
    const { narrowedNodes } = consider(
      plugin("Second", { nodeNames: new Set(["a", "b"]) }),
      plugin("First", { nodeNames: new Set(["b", "c"]) }),
    );
    expect(narrowedNodes).toEqual({ nodes: new Set(["b"]), plugins: ["First", "Second"] });
  });

  test("one plugin that leaves no node is named", () => {
    const { end } = consider(plugin("Only", { nodeNames: new Set() }));
    expect(end).toMatchObject({
      code: "UnschedulableAndUnresolvable",
      reasons: ["node(s) didn't satisfy plugin Only"],
      plugins: ["Only"],
    });
  });

  test("several plugins that leave no node together are named together", () => {
    const { end } = consider(
      plugin("Second", { nodeNames: new Set(["a"]) }),
      plugin("First", { nodeNames: new Set(["b"]) }),
    );
    expect(end).toMatchObject({
      reasons: ["node(s) didn't satisfy plugin(s) [First Second] simultaneously"],
      plugins: ["First", "Second"],
    });
  });
});
