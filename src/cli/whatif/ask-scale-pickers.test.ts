import { expect, test } from "vitest";
import { repeating } from "./ask-scale-pickers.ts";

const question = { requested: 1, candidates: ["a", "b"] };
const answered = { outcome: "it chose b", chosen: ["b"], tied: [] };

test.for([
  {
    name: "is given the same answer, in whatever order its candidates are",
    asked: { requested: 1, candidates: ["b", "a"] },
    want: { chosen_pods: ["b"], tied_pods: [] },
  },
  {
    name: "of another number finds no picker",
    asked: { requested: 2, candidates: ["a", "b"] },
    want: { kind: "failed", class: "HostUnresolved" },
  },
  {
    name: "about other Pods finds no picker",
    asked: { requested: 1, candidates: ["a", "c"] },
    want: { kind: "failed", class: "HostUnresolved" },
  },
])("a question $name", ({ asked, want }) => {
  const picker = repeating([{ ...question, answer: answered }]);
  expect(picker.pick(asked, 0)).toMatchObject(want);
});

test("a picker that named none before names none in the simulation", () => {
  const picker = repeating([
    { ...question, answer: { outcome: "it named none of them", chosen: [], tied: [] } },
  ]);
  expect(picker.pick(question, 0)).toMatchObject({ kind: "failed" });
});
