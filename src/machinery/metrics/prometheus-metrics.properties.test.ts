import * as fc from "fast-check";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { prometheusMetrics } from "./prometheus-metrics.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", '"', "\\", "\n", "é", " ", "{"), maxLength: 6 });
const value = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(Infinity, -Infinity, 0, 1e21),
);
const labels = fc.record({ one: text, two: text });
const change = fc.oneof(
  fc.record({ does: fc.constant("count" as const), labels, value: fc.double({ min: 0, noNaN: true }) }),
  fc.record({ does: fc.constant("set" as const), labels, value }),
  fc.record({
    does: fc.constant("observe" as const),
    labels,
    value: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
);

test("what is measured is written as prom-client, which most Node programs use, writes it", async () => {
  const names = ["one", "two"] as const;
  // Not -1, by which prom-client means "beyond the last".
  const buckets = [-2, 0, 0.5, 1e9];
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), text, async (changes, help) => {
      const registry = new Registry();
      const spec = (name: string) => ({
        name,
        help: `h${help}`,
        labelNames: [...names],
        registers: [registry],
      });
      const metrics = prometheusMetrics();
      const own = (name: string) => ({ name, help: `h${help}`, labels: names });
      const [counter, gauge] = [new Counter(spec("c")), new Gauge(spec("g"))];
      const histogram = new Histogram({ ...spec("h"), buckets });
      const bare = new Histogram({ ...spec("bare"), labelNames: [], buckets });
      const none = new Counter({ ...spec("none"), labelNames: [] });
      none.inc(0);
      const [ownCounter, ownGauge] = [metrics.counter(own("c")), metrics.gauge(own("g"))];
      const ownHistogram = metrics.histogram({ ...own("h"), buckets });
      const ownBare = metrics.histogram({ ...own("bare"), labels: [], buckets });
      metrics.counter({ ...own("none"), labels: [] });
      for (const { does, labels: at, value: by } of changes) {
        if (does === "count") {
          counter.inc(at, by);
          ownCounter.increase(at, by);
        } else if (does === "set") {
          gauge.set(at, by);
          ownGauge.set(at, by);
        } else {
          histogram.observe(at, by);
          ownHistogram.observe(at, by);
          bare.observe(by);
          ownBare.observe({}, by);
        }
      }
      expect(await metrics.text()).toBe(await registry.metrics());
      expect(metrics.contentType).toBe(registry.contentType);
    }),
  );
});

test("a counter that would shrink is a mistake of the program", () => {
  const counter = prometheusMetrics().counter({ name: "adds_total", help: "Adds.", labels: [] });
  expect(() => counter.increase({}, -1)).toThrow("counter adds_total may only grow");
});
