import { expect, test } from "vitest";
import { fillQuery, queryProblems } from "./query-template.ts";

test("the names of a question are filled into a query, so that only these Pods match", () => {
  const query = 'sum by (pod) (tasks{namespace="$namespace",app="$workload",pod=~"$pods"})';
  expect(fillQuery(query, { namespace: "shop", workload: "web", pods: ["web-1", "web.2"] })).toBe(
    'sum by (pod) (tasks{namespace="shop",app="web",pod=~"web-1|web[.]2"})',
  );
});

test("the end of an expression and the groups of a replacement are no variables", () => {
  const query = 'label_replace(x{pod=~"web-.*$"}, "pod", "$1", "instance", "(.*):.*")';
  expect(queryProblems(query)).toEqual([]);
  expect(fillQuery(query, { namespace: "a", workload: "b", pods: [] })).toBe(query);
});

test("a variable that does not exist is named once, with the one that was meant", () => {
  expect(queryProblems('a{x="$namespce",y="$namespce"} + b{z="$other"}')).toEqual([
    "there is no variable $namespce; did you mean $namespace?",
    "there is no variable $other; there are $namespace, $workload, $pods",
  ]);
});
