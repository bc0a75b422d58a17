import { expect, test } from "vitest";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { controllerRevisionStrategy } from "./strategy.ts";

test("a revision holds an object and never changes", () => {
  expect(problemsOf(controllerRevisionStrategy, { data: { a: 1 }, revision: 1 })).toEqual([]);
  expect(problemsOf(controllerRevisionStrategy, { revision: -1 })).toEqual([
    "data: Required value: data is mandatory",
    "revision: Invalid value: -1: must be greater than or equal to 0",
  ]);
  expect(problemsOf(controllerRevisionStrategy, { data: [1], revision: 1 })).toEqual([
    "data: Required value: data must be a valid JSON object",
  ]);
  expect(problemsOfUpdate(controllerRevisionStrategy, { data: { a: 2 } }, { data: { a: 1 } })).toEqual([
    'data: Invalid value: {"a":2}: field is immutable',
  ]);
});
