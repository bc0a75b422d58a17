import { expect, test } from "vitest";
import { chooseRuns } from "./choose-runs.ts";

const chosen = (...words: readonly string[]) => {
  const chosen = chooseRuns(words);
  return chosen.kind === "runs" ? chosen.runs : chosen;
};

test("seeds follow on each other, and scenarios take turns", () => {
  expect(chosen()).toHaveLength(100);
  expect(chosen("--seeds", "2", "--seed=5")).toMatchObject([{ seed: 5 }, { seed: 6 }]);
  expect(chosen("--seeds", "2", "--scenario", "nodes")).toEqual([
    { seed: 0, scenario: "nodes" },
    { seed: 1, scenario: "nodes" },
  ]);
});

test("a seed alone is one run", () => {
  expect(chosen("--seed", "17", "--scenario", "nodes")).toEqual([{ seed: 17, scenario: "nodes" }]);
});

test("help is help", () => {
  expect(chosen("--help")).toEqual({ kind: "help" });
});

test.for([
  { words: ["--seeds", "many"], problem: "--seeds takes a whole number from 1 on" },
  { words: ["--seeds", "0"], problem: "--seeds takes a whole number from 1 on" },
  { words: ["--seconds", "soon"], problem: "--seconds takes a number greater than 0" },
  { words: ["--scenario", "picnic"], problem: "no scenario picnic" },
  { words: ["--seed", "-1"], problem: "Option '--seed' argument is ambiguous" },
  { words: ["--colour"], problem: "Unknown option '--colour'" },
  { words: ["twice"], problem: "Unexpected argument 'twice'" },
])("$words is no choice: $problem", ({ words, problem }) => {
  expect(chosen(...words)).toEqual({ kind: "problem", problem: expect.stringContaining(problem) as string });
});
