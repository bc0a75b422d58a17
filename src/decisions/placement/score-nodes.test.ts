import { expect, test } from "vitest";
import { node } from "../../testing/index.ts";
import { fails, type PreFilterResult } from "./plugin.ts";
import { scoredNodes, scoreNodes } from "./score-nodes.ts";
import { snapshotOf } from "./snapshot/snapshot.ts";

const { nodes } = snapshotOf({ nodes: [node("a"), node("b")] });
const scoring = (plugin: string, weight: number, prepare: NonNullable<PreFilterResult["preScore"]>) => ({
  plugin,
  weight,
  prepare,
});
const constant = (plugin: string, score: number) =>
  scoring(plugin, 1, () => ({ kind: "scores", score: () => score }));

test("scores are normalised, weighed and added up, and every step is kept", () => {
  const byName = scoring("ByName", 3, () => ({
    kind: "scores",
    score: ({ name }) => (name === "a" ? 1 : 2),
    normalize: (raw) => raw.map((score) => score * 10),
  }));
  const scored = scoreNodes({ scorings: [byName, constant("Flat", 7)] }, nodes);
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
  const silent = scoring("Silent", 1, () => undefined);
  expect(scoreNodes({ scorings: [silent] }, nodes)).toEqual({
    kind: "scored",
    nodes: [
      { node: "a", total: 0 },
      { node: "b", total: 0 },
    ],
    columns: [],
  });
});

test("a plugin that cannot get ready is named", () => {
  const broken = scoring("Broken", 1, () => fails("why?"));
  expect(scoreNodes({ scorings: [broken] }, nodes)).toEqual({
    kind: "fails",
    plugin: "Broken",
    point: "PreScore",
    message: "why?",
  });
});

test.for([-1, 101, Number.NaN, Infinity])("a score of %s is the plugin's mistake", (score) => {
  expect(scoreNodes({ scorings: [constant("Wild", score)] }, nodes)).toEqual({
    kind: "fails",
    plugin: "Wild",
    point: "Score",
    message: `${score} for a is not within 0 to 100`,
  });
});
