import { expect, test } from "vitest";
import { node } from "../../testing/node.ts";
import { fails, type Plugin } from "./plugin.ts";
import { waitingPod } from "./plugin-fixture.cases.ts";
import type { WeightedPlugin } from "./plugin-entry.ts";
import { scoredNodes, scoreNodes } from "./score-nodes.ts";
import { podInfo } from "./objects/pod-info.ts";
import { clusterViewOf } from "./view/list-view.ts";

const cluster = clusterViewOf({ nodes: [node("a"), node("b")] });
const scoresBy = (...scorers: readonly WeightedPlugin[]) =>
  scoreNodes({ pod: podInfo(waitingPod()), cluster, scorers }, cluster.nodes);
const scorer = (name: string, weight: number, preScore: NonNullable<Plugin["preScore"]>) => ({
  plugin: { name, preScore },
  weight,
});
const constant = (name: string, score: number) =>
  scorer(name, 1, () => ({ kind: "scores", score: () => score }));

test("scores are normalised, weighed and added up, and every step is kept", () => {
  const byName = scorer("ByName", 3, () => ({
    kind: "scores",
    score: ({ name }) => (name === "a" ? 1 : 2),
    normalize: (raw) => raw.map((score) => score * 10),
  }));
  const scored = scoresBy(byName, constant("Flat", 7));
  expect(scored.kind === "scored" && scoredNodes(scored)).toEqual([
    {
      node: "a",
      scores: [
        { plugin: "ByName", raw: 1, normalized: 10, weight: 3 },
        { plugin: "Flat", raw: 7, normalized: 7, weight: 1 },
      ],
      total: 37,
    },
    {
      node: "b",
      scores: [
        { plugin: "ByName", raw: 2, normalized: 20, weight: 3 },
        { plugin: "Flat", raw: 7, normalized: 7, weight: 1 },
      ],
      total: 67,
    },
  ]);
});

test("a plugin without a preference leaves no score", () => {
  const silent = scorer("Silent", 1, () => undefined);
  expect(scoresBy(silent)).toEqual({
    kind: "scored",
    nodes: ["a", "b"],
    totals: [0, 0],
    columns: [],
  });
});

test("a plugin that cannot get ready is named", () => {
  const broken = scorer("Broken", 1, () => fails("why?"));
  expect(scoresBy(broken)).toEqual({
    kind: "fails",
    plugin: "Broken",
    point: "PreScore",
    message: "why?",
  });
});

test.for([-1, 101, Number.NaN, Infinity])("a score of %s is the plugin's mistake", (score) => {
  expect(scoresBy(constant("Wild", score))).toEqual({
    kind: "fails",
    plugin: "Wild",
    point: "Score",
    message: `${score} for a is not within 0 to 100`,
  });
});
