import { expect, test } from "vitest";
import { memoryMetrics } from "../../testing/memory-metrics.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { RateLimitingQueue } from "../work-queue/rate-limiting-queue.ts";
import { silentMetrics } from "./metrics.ts";
import { prometheusMetrics } from "./prometheus-metrics.ts";
import { workqueueMetrics } from "./workqueue-metrics.ts";

test("Prometheus reads counters, gauges and histograms with their labels", async () => {
  const metrics = prometheusMetrics();
  metrics.counter({ name: "adds_total", help: "Adds.", labels: ["name"] }).increase({ name: 'a"b' }, 2);
  metrics.gauge({ name: "depth", help: "Depth.", labels: [] }).set({}, -1);
  let age = 1;
  metrics.gauge({ name: "age", help: "Age.", labels: ["of"] }).follow({ of: "x" }, () => age);
  metrics.histogram({ name: "size", help: "Size.", labels: [], buckets: [1, 10] }).observe({}, 5);
  age = 3;
  const text = await metrics.text();
  for (const line of [
    "# TYPE adds_total counter",
    'adds_total{name="a\\"b"} 2',
    "depth -1",
    'age{of="x"} 3',
    'size_bucket{le="1"} 0',
    'size_bucket{le="10"} 1',
    "size_sum 5",
  ])
    expect(text.split("\n")).toContain(line);
  expect(metrics.contentType).toContain("text/plain");
});

test("a gauge that collects has the values of now, and not those of things that are gone", async () => {
  const metrics = prometheusMetrics();
  const gauge = metrics.gauge({ name: "sizes", help: "Sizes.", labels: ["of"] });
  const sizes = new Map([
    ["a", 1],
    ["b", 2],
  ]);
  gauge.collect(() => [...sizes].map(([of, value]) => ({ labels: { of }, value })));
  gauge.follow({ of: "c" }, () => 3);
  const lines = async () => (await metrics.text()).split("\n").filter((line) => line.startsWith("sizes{"));
  expect(await lines()).toEqual(['sizes{of="a"} 1', 'sizes{of="b"} 2', 'sizes{of="c"} 3']);
  sizes.delete("a");
  sizes.set("b", 5);
  expect(await lines()).toEqual(['sizes{of="b"} 5', 'sizes{of="c"} 3']);
});

test("a gauge follows the last of those who spoke for the same labels, and asks the others no more", async () => {
  const metrics = prometheusMetrics();
  const ages = metrics.gauge({ name: "age", help: "Age.", labels: ["of", "by"] });
  const asked: string[] = [];
  const follow = (labels: { of: string; by: string }, reader: string) =>
    ages.follow(labels, () => asked.push(reader));
  follow({ of: "x", by: "y" }, "first");
  follow({ by: "y", of: "x" }, "second");
  follow({ of: "x", by: "z" }, "other");
  await metrics.text();
  expect(asked).toEqual(["second", "other"]);
});

test("one name is one metric, for everyone with the same labels", async () => {
  const metrics = prometheusMetrics();
  const spec = { name: "adds_total", help: "Adds.", labels: ["name"] } as const;
  metrics.counter(spec).increase({ name: "a" });
  metrics.counter(spec).increase({ name: "a" });
  expect(await metrics.text()).toContain('adds_total{name="a"} 2');
  expect(() => metrics.counter({ ...spec, labels: ["other"] })).toThrow("other labels");
});

test("two registries do not mix", async () => {
  const [one, other] = [prometheusMetrics(), prometheusMetrics()];
  const spec = { name: "adds_total", help: "Adds.", labels: [] } as const;
  one.counter(spec).increase({});
  other.counter(spec).increase({}, 5);
  expect(await one.text()).toContain("adds_total 1");
});

test("a queue is measured by the clock, under Kubernetes' names", async () => {
  const clock = new VirtualClock();
  const metrics = memoryMetrics();
  const queue = new RateLimitingQueue({ clock, metrics: workqueueMetrics(metrics)("replicaset") });
  const measure = (name: string) => metrics.value(`workqueue_${name}`, { name: "replicaset" });

  queue.add("a");
  queue.add("b");
  await clock.advance(2000);
  expect([measure("depth"), measure("adds_total")]).toEqual([2, 2]);
  const key = (await queue.take()) ?? "";
  await clock.advance(3000);
  expect(measure("unfinished_work_seconds")).toBe(3);
  expect(measure("longest_running_processor_seconds")).toBe(3);
  queue.addRateLimited(key);
  queue.done(key);
  expect([measure("depth"), measure("retries_total"), measure("unfinished_work_seconds")]).toEqual([1, 1, 0]);
  const observed = (name: string) =>
    metrics.observations(`workqueue_${name}_seconds`, { name: "replicaset" });
  expect(observed("queue_duration")).toEqual([2]);
  expect(observed("work_duration")).toEqual([3]);
});

test("a queue has metrics before anything was added, and metrics are optional", async () => {
  const metrics = prometheusMetrics();
  workqueueMetrics(metrics)("replicaset");
  expect(await metrics.text()).toContain('workqueue_adds_total{name="replicaset"} 0');
  workqueueMetrics(silentMetrics)("replicaset").added();
});
