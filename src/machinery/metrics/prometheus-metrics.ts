import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { HistogramSpec, LabelValues, Metrics, MetricSpec } from "./metrics.ts";
import type * as ours from "./metrics.ts";

/** Metrics in the format of Prometheus. */
export interface PrometheusMetrics extends Metrics {
  /** Everything measured so far, in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Creates a registry of its own, so that two clusters in one process do not mix their metrics. */
export function prometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const known = new Map<string, { readonly labels: string; readonly metric: unknown }>();

  /** The metric of a name, created at the first call. */
  function once<M>(spec: MetricSpec<string>, make: () => M): M {
    const labels = spec.labels.join();
    const earlier = known.get(spec.name);
    if (earlier === undefined) {
      const metric = make();
      known.set(spec.name, { labels, metric });
      return metric;
    }
    if (earlier.labels !== labels) throw new Error(`metric ${spec.name} is registered with other labels`);
    return earlier.metric as M;
  }

  return {
    counter: (spec) => once(spec, () => counter(spec, registry)),
    gauge: (spec) => once(spec, () => gauge(spec, registry)),
    histogram: (spec) => once(spec, () => histogram(spec, registry)),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function counter<L extends string>(spec: MetricSpec<L>, registry: Registry): ours.Counter<L> {
  const metric = new Counter({ ...configurationOf(spec), registers: [registry] });
  return { increase: (labels, by = 1) => metric.inc(labels, by) };
}

function gauge<L extends string>(spec: MetricSpec<L>, registry: Registry): ours.Gauge<L> {
  // Keyed by label values, so that readers of an earlier leadership are replaced.
  const followed = new Map<string, { readonly labels: LabelValues<L>; readonly read: () => number }>();
  let collect: Parameters<ours.Gauge<L>["collect"]>[0] | undefined;
  const metric = new Gauge({
    ...configurationOf(spec),
    registers: [registry],
    collect: async () => {
      const samples = await collect?.();
      if (samples !== undefined) metric.reset();
      for (const { labels, value } of samples ?? []) metric.set(labels, value);
      for (const { labels, read } of followed.values()) metric.set(labels, read());
    },
  });
  return {
    set: (labels, value) => metric.set(labels, value),
    follow: (labels, read) => void followed.set(keyOf(spec, labels), { labels, read }),
    collect: (read) => void (collect = read),
  };
}

function keyOf<L extends string>(spec: MetricSpec<L>, labels: LabelValues<L>): string {
  return JSON.stringify(spec.labels.map((name) => labels[name]));
}

function histogram<L extends string>(spec: HistogramSpec<L>, registry: Registry): ours.Histogram<L> {
  const buckets = [...spec.buckets];
  const metric = new Histogram({ ...configurationOf(spec), buckets, registers: [registry] });
  return { observe: (labels, value) => metric.observe(labels, value) };
}

function configurationOf<L extends string>({ name, help, labels }: MetricSpec<L>) {
  return { name, help, labelNames: [...labels] };
}
