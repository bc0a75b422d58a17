import { expect, test } from "vitest";
import { readAnnotatedLoad } from "./annotated-load.ts";

test.for([
  { name: "cpu: { total: 1 }" },
  { name: "---\ncpu: { total: 1 }\n" },
  {
    name: "cpu: { total: 1 }\n---\nmemory: { total: 1 }",
    problem: "invalid YAML: line 2: more than one document",
  },
  { name: "cpu: { total: 1, total: 2 }", problem: 'line 1: key "total" already set in map' },
  { name: "cpu: 1", problem: "cpu: Invalid value: 1: must be an object with total or perPod" },
])("a load is one YAML document, read or refused whole: $name", ({ name: text, problem }) => {
  expect(readAnnotatedLoad(text)).toEqual(problem === undefined ? { load: expect.anything() } : { problem });
});
