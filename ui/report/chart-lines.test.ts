import { expect, test } from "vitest";
import type { WorkloadSeries } from "../../src/simulation/tracking/time-series.ts";
import { chartsOf, highestOf, lineText, loadText } from "./chart-lines.ts";

const series: WorkloadSeries = {
  pending: [2, 0],
  notReady: [1, 0],
  ready: [0, 3],
  terminating: [0, 2],
  desired: [3, 3],
  budget: [null, null],
  maxPods: [3, 5],
  maxTerminating: [0, 2],
  busy: [0, 0],
  skew: [1, 0],
  zones: { "zone-a": [1, 3] },
  loads: {},
};

const linesOf = (title: RegExp, of: WorkloadSeries = series) =>
  chartsOf(of)
    .find((each) => title.test(each.title))
    ?.lines.map(({ name }) => name);

test("Pods are stacked by state, ready ones at the bottom; their own numbers are kept", () => {
  const [states] = chartsOf(series);
  expect(states?.lines.map(({ name, values, stacked }) => ({ name, values, stacked }))).toEqual([
    { name: "terminating", values: [0, 2], stacked: [3, 5] },
    { name: "pending", values: [2, 0], stacked: [3, 3] },
    { name: "not ready", values: [1, 0], stacked: [1, 3] },
    { name: "ready", values: [0, 3], stacked: [0, 3] },
    { name: "desired", values: [3, 3] },
  ]);
  expect(highestOf(chartsOf(series))).toEqual({ pods: 5, load: 0 });
});

test("a budget and busy Pods are shown where there are any", () => {
  expect(linesOf(/budget/)).toEqual(["Pods", "terminating"]);
  expect(linesOf(/budget/, { ...series, budget: [4, null] })).toEqual(["Pods", "terminating", "budget"]);
  expect(linesOf(/Busy/)).toBeUndefined();
  expect(linesOf(/Busy/, { ...series, busy: [0, 1] })).toEqual(["busy", "ready", "desired"]);
  expect(linesOf(/zone/)).toEqual(["zone-a", "skew"]);
});

test("a load is shown with the replicas, on a scale of its own", () => {
  const loaded = { ...series, loads: { cpu: [0, 12.345], memory: [0, 3 * 2 ** 30] } };
  expect(linesOf(/cpu/, loaded)).toEqual(["cpu, right axis", "ready", "desired"]);
  const [cpu, memory] = chartsOf(loaded).filter(({ title }) => title.startsWith("Load and replicas"));
  expect(highestOf(cpu === undefined ? [] : [cpu])).toEqual({ pods: 3, load: 12.345 });
  expect([cpu, memory].map((chart) => chart?.lines.map((line) => lineText(line, 1)))).toEqual([
    ["12.35", "3", "3"],
    ["3Gi", "3", "3"],
  ]);
});

test.for([
  { metric: "cpu", value: 0.0012, text: "0.0012" },
  { metric: "cpu", value: 1234.56, text: "1235" },
  { metric: "memory", value: 1000, text: "1000" },
  { metric: "memory", value: 200 * 2 ** 20, text: "200Mi" },
  { metric: "memory", value: 1.5 * 2 ** 30, text: "1.5Gi" },
])("$value of $metric is $text", ({ metric, value, text }) => {
  expect(loadText(metric, value)).toBe(text);
});
