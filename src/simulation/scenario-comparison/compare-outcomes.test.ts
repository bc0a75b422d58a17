import { expect, test } from "vitest";
import type { SeedOutcome } from "../scenario-run/run-scenario-seeds.ts";
import type { ScenarioResult, WorkloadSummary } from "../scenario-run/scenario-result.ts";
import { compareOutcomes } from "./compare-outcomes.ts";
import { differenceText, measureText, spreadText } from "./measure-text.ts";
import { runMeasures } from "./run-measures.ts";
import { distributionOf } from "./distribution.ts";

function workload(numbers: Partial<WorkloadSummary> = {}): WorkloadSummary {
  return {
    podHours: 0,
    removedPods: 0,
    busyPodsRemoved: 0,
    workLostSeconds: 0,
    mostPods: 0,
    mostTerminating: 0,
    highestSkew: 0,
    ...numbers,
  };
}

function result(parts: Partial<ScenarioResult> = {}): ScenarioResult {
  return {
    scenario: "day",
    seed: 1,
    durationSeconds: 600,
    passed: true,
    assertions: [],
    events: [],
    workloads: {},
    completions: [],
    removedPods: [],
    ...parts,
  };
}

test("the measures of a run add its workloads up, but for the highest skew and the longest completion", () => {
  const measures = runMeasures(
    result({
      workloads: {
        "Deployment default/web": workload({
          busyPodsRemoved: 2,
          workLostSeconds: 30,
          podHours: 1.5,
          highestSkew: 1,
        }),
        "Deployment default/api": workload({
          busyPodsRemoved: 1,
          workLostSeconds: 15,
          podHours: 0.5,
          highestSkew: 3,
        }),
      },
      completions: [
        { workload: "Deployment default/web", fromSeconds: 0, tookSeconds: 5 },
        { workload: "Deployment default/web", fromSeconds: 60, tookSeconds: 90 },
        { workload: "Deployment default/api", fromSeconds: 60 },
      ],
      assertions: [
        { name: "holds", passed: true },
        { name: "does not", passed: false },
      ],
    }),
  );
  expect(measures).toEqual({
    busyPodsRemoved: 3,
    workLostSeconds: 45,
    highestSkew: 3,
    podHours: 2,
    slowestCompletionSeconds: 90,
    incompleteChanges: 1,
    assertionsFailed: 1,
  });
});

test("runs are compared seed by seed; one that failed itself has no pair", () => {
  const run = (seed: number, busyPodsRemoved: number): SeedOutcome => ({
    ok: true,
    result: result({ seed, workloads: { "Job default/batch": workload({ busyPodsRemoved }) } }),
  });
  const crashed: SeedOutcome = { ok: false, scenario: "day", seed: 3, error: "it broke" };
  const { measures, seeds } = compareOutcomes(
    [run(1, 4), run(2, 10), run(3, 7)],
    [run(1, 1), run(2, 7), crashed],
  );
  expect(measures.busyPodsRemoved).toMatchObject({
    a: { count: 3, median: 7 },
    b: { count: 2, median: 4 },
    difference: { count: 2, median: -3, min: -3, max: -3, lower: 2, higher: 0 },
  });
  expect(measures.slowestCompletionSeconds).toEqual({});
  expect(seeds.map(({ seed, a, b }) => [seed, a?.busyPodsRemoved, b?.busyPodsRemoved])).toEqual([
    [1, 4, 1],
    [2, 10, 7],
    [3, 7, undefined],
  ]);
});

test("each workload is compared by its own numbers; one that only one scenario has, has no difference", () => {
  const run = (seed: number, workloads: Readonly<Record<string, number>>): SeedOutcome => ({
    ok: true,
    result: result({
      seed,
      workloads: Object.fromEntries(
        Object.entries(workloads).map(([name, podHours]) => [name, workload({ podHours })]),
      ),
      completions: Object.entries(workloads).map(([name, podHours]) => ({
        workload: name,
        fromSeconds: 0,
        tookSeconds: podHours * 10,
      })),
    }),
  });
  const { measures, workloads } = compareOutcomes(
    [run(1, { web: 1, api: 5 }), run(2, { web: 2, api: 5 })],
    [run(1, { web: 4, batch: 9 }), run(2, { web: 5, batch: 9 })],
  );
  expect(measures.podHours.a).toMatchObject({ min: 6, max: 7 });
  expect(Object.keys(workloads)).toEqual(["web", "api", "batch"]);
  expect(workloads["web"]?.podHours).toMatchObject({
    a: { min: 1, max: 2 },
    b: { min: 4, max: 5 },
    difference: { count: 2, median: 3, min: 3, max: 3, higher: 2 },
  });
  expect(workloads["web"]?.slowestCompletionSeconds.difference?.median).toBe(30);
  expect(workloads["api"]?.podHours).toEqual({ a: expect.objectContaining({ count: 2, median: 5 }) });
  expect(workloads["web"]).not.toHaveProperty("assertionsFailed");
});

test.for([
  { name: "busyPodsRemoved", value: 3, text: "3", difference: "+3" },
  { name: "busyPodsRemoved", value: 2.5, text: "2.5", difference: "+2.5" },
  { name: "busyPodsRemoved", value: -2, text: "-2", difference: "-2" },
  { name: "workLostSeconds", value: 90, text: "1m30s", difference: "+1m30s" },
  { name: "workLostSeconds", value: 90.4, text: "1m30s", difference: "+1m30s" },
  { name: "workLostSeconds", value: 0.25, text: "250ms", difference: "+250ms" },
  { name: "workLostSeconds", value: 0, text: "0s", difference: "0s" },
  { name: "podHours", value: 1.234, text: "1.23", difference: "+1.23" },
  { name: "podHours", value: 0.001, text: "0.00", difference: "0.00" },
  { name: "podHours", value: -0.001, text: "0.00", difference: "0.00" },
] as const)("$value of $name is $text, as a difference $difference", ({ name, value, text, difference }) => {
  expect(measureText(name, value)).toBe(text);
  expect(differenceText(name, value)).toBe(difference);
});

test.for([
  { numbers: [], text: "none" },
  { numbers: [4], text: "4" },
  { numbers: [4, 4, 4], text: "4" },
  { numbers: [1, 2, 9], text: "2 (1 … 9)" },
  { numbers: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100], text: "5 (1 … 9)" },
])("the spread of $numbers is shown as $text", ({ numbers, text }) => {
  expect(spreadText("busyPodsRemoved", distributionOf(numbers))).toBe(text);
});
