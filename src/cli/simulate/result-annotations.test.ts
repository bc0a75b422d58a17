import { expect, test } from "vitest";
import type { SeedOutcome } from "../../simulation/scenario-run/run-scenario-seeds.ts";
import type { AssertionResult, EventResult } from "../../simulation/scenario-run/scenario-result.ts";
import { githubAnnotations, mistakeAnnotation, withoutCommands } from "./result-annotations.ts";

const moment = { atSeconds: 300, time: "2026-01-01T00:05:00Z" };
const held: AssertionResult = { name: "held", passed: true };
const broken: AssertionResult = {
  name: "at most 1, 100%",
  passed: false,
  failure: { ...moment, message: "2 Pods", change: "Pod a is created" },
};
const refused: EventResult = { ...moment, text: "delete configmap/a", error: "not found", passed: false };

function outcome(seed: number, assertions: readonly AssertionResult[], events: readonly EventResult[] = []) {
  const passed = assertions.every((each) => each.passed) && events.length === 0;
  const rest = { durationSeconds: 600, workloads: {}, completions: [], removedPods: [] };
  return { ok: true, result: { scenario: "web", seed, passed, assertions, events, ...rest } } as const;
}

/** No such file: annotations are without lines then. */
const annotations = (...outcomes: readonly SeedOutcome[]) =>
  githubAnnotations({ file: "web.yaml", outcomes });

test("what passes has no annotation", () => {
  expect(annotations(outcome(1, [held]), outcome(2, [held]))).toEqual([]);
});

test("an assertion that fails with several seeds has one, with the first of them", () => {
  const outcomes = [outcome(1, [held, held]), outcome(2, [held, broken]), outcome(3, [broken, broken])];
  const place = "::error file=web.yaml,title=at most 1%2C 100%25";
  expect(annotations(...outcomes)).toEqual([
    `${place}::2 of 3 seeds, seed 2: at 5m0s: 2 Pods%0Achange: Pod a is created`,
    `${place}::1 of 3 seeds, seed 3: at 5m0s: 2 Pods%0Achange: Pod a is created`,
  ]);
});

test("refused events and failed simulations have one", () => {
  expect(annotations(outcome(1, [held], [refused]))).toEqual([
    "::error file=web.yaml,title=delete configmap/a::seed 1: refused at 5m0s: not found",
  ]);
  expect(annotations({ ok: false, scenario: "web", seed: 4, error: "out of memory" })).toEqual([
    "::error file=web.yaml,title=The simulation failed::seed 4: out of memory",
  ]);
});

test.for([
  {
    mistake: "a/web.yaml:3:11: duration: bad",
    place: "file=a/web.yaml,line=3,col=11",
    says: "duration: bad",
  },
  { mistake: "web.yaml: no such file", place: "file=web.yaml", says: "no such file" },
])("a mistake is shown at $place", ({ mistake, place, says }) => {
  expect(mistakeAnnotation(mistake)).toBe(`::error ${place},title=Mistake in the scenario::${says}`);
});

test.for([
  { name: "at the start of a line", text: "PASS\n  ::add-mask::x", want: "PASS\n|   ::add-mask::x" },
  { name: "of the older form", text: "PASS a ##[add-path]x", want: "PASS a # #[add-path]x" },
  { name: "that only look like one", text: "a::b", want: "a::b" },
])("names cannot give workflow commands $name", ({ text, want }) => {
  expect(withoutCommands(text)).toBe(want);
});
