/** The values of a metric's labels, all of them, each time. */
export type Labels<L extends string> = Readonly<Record<L, string>>;

export interface MetricSpec<L extends string> {
  /** As Prometheus has it: `workqueue_adds_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

export interface HistogramSpec<L extends string> extends MetricSpec<L> {
  /** Upper bounds, rising. */
  readonly buckets: readonly number[];
}

/** Only grows. */
export interface Counter<L extends string> {
  increase(labels: Labels<L>, by?: number): void;
}

/** Goes up and down. */
export interface Gauge<L extends string> {
  set(labels: Labels<L>, value: number): void;
  /**
   * Asks for the value whenever the metrics are read: for what changes by itself, such as an age. Whoever follows the
   * same labels next takes its place.
   */
  follow(labels: Labels<L>, read: () => number): void;
  /** The same for all values at once: what is not among them any more is gone. */
  collect(read: () => Iterable<Sample<L>>): void;
}

/** One value of a metric. */
export interface Sample<L extends string> {
  readonly labels: Labels<L>;
  readonly value: number;
}

/** Counts values by size. */
export interface Histogram<L extends string> {
  observe(labels: Labels<L>, value: number): void;
}

/** Where measurements go. Asking twice for one name gives the same metric, so that many may share it. */
export interface Metrics {
  counter<L extends string>(spec: MetricSpec<L>): Counter<L>;
  gauge<L extends string>(spec: MetricSpec<L>): Gauge<L>;
  histogram<L extends string>(spec: HistogramSpec<L>): Histogram<L>;
}

const nothing = () => undefined;

/** Measures nothing. */
export const silentMetrics: Metrics = {
  counter: () => ({ increase: nothing }),
  gauge: () => ({ set: nothing, follow: nothing, collect: nothing }),
  histogram: () => ({ observe: nothing }),
};
