import type { HistogramSpec, LabelValues, Metrics, MetricSpec } from "./metrics.ts";
import type * as ours from "./metrics.ts";
import {
  numberText,
  prometheusContentType,
  prometheusText,
  type TextMetric,
  type TextSample,
} from "./prometheus-text.ts";

/** Metrics in the format of Prometheus. */
export interface PrometheusMetrics extends Metrics {
  /** Everything measured so far, in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** A metric that is registered, and how it is read. */
interface Registered<M> {
  readonly metric: M;
  readonly read: () => Promise<TextMetric>;
}

/** Creates a registry of its own, so that two clusters in one process do not mix their metrics. */
export function prometheusMetrics(): PrometheusMetrics {
  const known = new Map<string, Registered<unknown> & { readonly labels: string }>();

  /** The metric of a name, created at the first call. */
  function once<M>(spec: MetricSpec<string>, make: () => Registered<M>): M {
    const labels = spec.labels.join();
    const earlier = known.get(spec.name);
    if (earlier === undefined) {
      const made = make();
      known.set(spec.name, { labels, ...made });
      return made.metric;
    }
    if (earlier.labels !== labels) throw new Error(`metric ${spec.name} is registered with other labels`);
    return earlier.metric as M;
  }

  return {
    counter: (spec) => once(spec, () => counter(spec)),
    gauge: (spec) => once(spec, () => gauge(spec)),
    histogram: (spec) => once(spec, () => histogram(spec)),
    text: async () => prometheusText(await Promise.all([...known.values()].map(({ read }) => read()))),
    contentType: prometheusContentType,
  };
}

/** The values of a metric by its labels, in the order in which they came; one without labels is there from the start. */
class Series<L extends string, V> {
  readonly #spec: MetricSpec<L>;
  readonly #initial: () => V;
  readonly #values = new Map<string, { readonly labels: TextSample["labels"]; value: V }>();

  constructor(spec: MetricSpec<L>, initial: () => V) {
    this.#spec = spec;
    this.#initial = initial;
    this.clear();
  }

  update(labels: LabelValues<L>, next: (value: V) => V): void {
    const pairs = this.#spec.labels.map((name) => [name, labels[name]] as const);
    const key = JSON.stringify(pairs);
    const entry = this.#values.get(key);
    if (entry !== undefined) entry.value = next(entry.value);
    else this.#values.set(key, { labels: pairs, value: next(this.#initial()) });
  }

  clear(): void {
    this.#values.clear();
    if (this.#spec.labels.length === 0) this.#values.set("[]", { labels: [], value: this.#initial() });
  }

  list(): readonly { readonly labels: TextSample["labels"]; readonly value: V }[] {
    return [...this.#values.values()];
  }
}

const zero = () => 0;

function counter<L extends string>(spec: MetricSpec<L>): Registered<ours.Counter<L>> {
  const series = new Series(spec, zero);
  return {
    metric: {
      increase(labels, by = 1) {
        if (by < 0) throw new Error(`counter ${spec.name} may only grow`);
        series.update(labels, (value) => value + by);
      },
    },
    read: () => Promise.resolve({ ...spec, type: "counter", samples: series.list() }),
  };
}

function gauge<L extends string>(spec: MetricSpec<L>): Registered<ours.Gauge<L>> {
  const series = new Series(spec, zero);
  // Keyed by label values, so that readers of an earlier leadership are replaced.
  const followed = new Map<string, { readonly labels: LabelValues<L>; readonly read: () => number }>();
  let collect: Parameters<ours.Gauge<L>["collect"]>[0] | undefined;
  return {
    metric: {
      set: (labels, value) => series.update(labels, () => value),
      follow: (labels, read) => void followed.set(keyOf(spec, labels), { labels, read }),
      collect: (read) => void (collect = read),
    },
    async read() {
      const samples = await collect?.();
      if (samples !== undefined) series.clear();
      for (const { labels, value } of samples ?? []) series.update(labels, () => value);
      for (const { labels, read } of followed.values()) {
        const value = read();
        series.update(labels, () => value);
      }
      return { ...spec, type: "gauge", samples: series.list() };
    },
  };
}

function keyOf<L extends string>(spec: MetricSpec<L>, labels: LabelValues<L>): string {
  return JSON.stringify(spec.labels.map((name) => labels[name]));
}

interface Observed {
  /** How many values fell into each bucket, and beyond the last. */
  readonly counts: number[];
  readonly sum: number;
}

function histogram<L extends string>(spec: HistogramSpec<L>): Registered<ours.Histogram<L>> {
  const bounds = [...spec.buckets, Infinity];
  const series = new Series<L, Observed>(spec, () => ({ counts: bounds.map(zero), sum: 0 }));
  return {
    metric: {
      observe: (labels, value) =>
        series.update(labels, ({ counts, sum }) => {
          const index = bounds.findIndex((bound) => value <= bound);
          counts[index] = (counts[index] ?? 0) + 1;
          return { counts, sum: sum + value };
        }),
    },
    read: () =>
      Promise.resolve({
        ...spec,
        type: "histogram",
        samples: series.list().flatMap(histogramSamples(bounds)),
      }),
  };
}

/** Buckets count what is smaller, too. */
function histogramSamples(bounds: readonly number[]) {
  return ({
    labels,
    value: { counts, sum },
  }: {
    readonly labels: TextSample["labels"];
    readonly value: Observed;
  }) => {
    let count = 0;
    const buckets = bounds.map((bound, index): TextSample => {
      count += counts[index] ?? 0;
      return { suffix: "_bucket", labels: [["le", numberText(bound)], ...labels], value: count };
    });
    return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }];
  };
}
