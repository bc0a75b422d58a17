import { expect, test } from "vitest";
import { sumOfSamples } from "./prometheus-text.ts";

const page = `# HELP vllm:num_requests_running Number of requests.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{model_name="a",engine="0"} 2
vllm:num_requests_running{model_name="b} \\"c\\" {",engine="0",} 3.5e0 1700000000000
vllm:num_requests_running_total 99
celery_active_tasks	7
agones_players{room="x"} NaN
up 1`;

test.for([
  { name: "samples of all labels are added up", metric: "vllm:num_requests_running", labels: {}, want: 5.5 },
  {
    name: "only samples with the labels count",
    metric: "vllm:num_requests_running",
    labels: { model_name: "a" },
    want: 2,
  },
  {
    name: "values of labels may have braces and quotes",
    metric: "vllm:num_requests_running",
    labels: { model_name: 'b} "c" {' },
    want: 3.5,
  },
  { name: "a label that has to be empty may be absent", metric: "up", labels: { job: "" }, want: 1 },
  { name: "a tab divides, too", metric: "celery_active_tasks", labels: {}, want: 7 },
  { name: "the last line needs no end", metric: "up", labels: {}, want: 1 },
  { name: "NaN is a number that is none", metric: "agones_players", labels: {}, want: Number.NaN },
  { name: "a metric without samples has no number", metric: "nothing", labels: {}, want: undefined },
  {
    name: "the beginning of a name is another metric",
    metric: "vllm:num_requests",
    labels: {},
    want: undefined,
  },
])("in a page of metrics $name", ({ metric, labels, want }) => {
  expect(sumOfSamples(page, { metric, labels })).toEqual(want);
});

test.for(["busy much", "busy {", 'busy{a="1} 3', "busy{a=1} 3", "busy ", "busy 0x1", "busy 1,5"])(
  "the sample %j is malformed",
  (line) => {
    expect(sumOfSamples(`${line}\n`, { metric: "busy", labels: {} })).toBe("malformed");
  },
);

test("a page of a million other lines takes a step for each of its characters", () => {
  const text = `${'other{a="b"} 1\n'.repeat(1_000_000)}busy 1`;
  expect(sumOfSamples(text, { metric: "busy", labels: {} })).toBe(1);
});
