/** The values of a metric's labels, all of them, each time. */
export type LabelValues<L extends string> = Readonly<Record<L, string>>;

export interface MetricSpec<L extends string> {
  /** A Prometheus name: `workqueue_adds_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

export interface HistogramSpec<L extends string> extends MetricSpec<L> {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

/** A value that only grows. */
export interface Counter<L extends string> {
  increase(labels: LabelValues<L>, by?: number): void;
}

/** A value that goes up and down. */
export interface Gauge<L extends string> {
  set(labels: LabelValues<L>, value: number): void;
  /**
   * Reads the value whenever metrics are collected: for what changes by itself, such as an age. A later call with the
   * same labels replaces it.
   */
  follow(labels: LabelValues<L>, read: () => number): void;
  /** Reads the values of all labels at once; labels that are no longer returned disappear. A later call replaces it. */
  collect(read: () => MetricSamples<L> | Promise<MetricSamples<L>>): void;
}

/** All values of a metric. */
export type MetricSamples<L extends string> = Iterable<Sample<L>>;

/** One value of a metric. */
export interface Sample<L extends string> {
  readonly labels: LabelValues<L>;
  readonly value: number;
}

/** Counts values by size. */
export interface Histogram<L extends string> {
  observe(labels: LabelValues<L>, value: number): void;
}

/** Registers metrics. A second registration of a name returns the same metric, so that several components share it. */
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
