import type { LabelValues, Metrics, MetricSamples } from "../machinery/metrics/metrics.ts";

/** Metrics that tests can read. */
export interface MemoryMetrics extends Metrics {
  /** The value of a counter or gauge; 0 when nothing was measured. */
  value(name: string, labels?: LabelValues<string>): number;
  /** What a histogram has seen, in order. */
  observations(name: string, labels?: LabelValues<string>): readonly number[];
}

/** Starts with nothing measured. */
export function memoryMetrics(): MemoryMetrics {
  const values = new Map<string, () => number>();
  const observed = new Map<string, number[]>();
  const collected = new Map<string, () => MetricSamples<string> | Promise<MetricSamples<string>>>();
  const valueOf = (key: string) => values.get(key)?.() ?? 0;
  const sampleOf = (name: string, key: string) =>
    [...samplesOf(collected.get(name)?.() ?? [])].find(({ labels }) => keyOf(name, labels) === key)?.value;
  return {
    counter: ({ name }) => ({
      increase(labels, by = 1) {
        const next = valueOf(keyOf(name, labels)) + by;
        values.set(keyOf(name, labels), () => next);
      },
    }),
    gauge: ({ name }) => ({
      set: (labels, value) => void values.set(keyOf(name, labels), () => value),
      follow: (labels, read) => void values.set(keyOf(name, labels), read),
      collect: (read) => void collected.set(name, read),
    }),
    histogram: ({ name }) => ({
      observe(labels, value) {
        const key = keyOf(name, labels);
        const known = observed.get(key);
        if (known === undefined) observed.set(key, [value]);
        else known.push(value);
      },
    }),
    value: (name, labels = {}) => sampleOf(name, keyOf(name, labels)) ?? valueOf(keyOf(name, labels)),
    observations: (name, labels = {}) => [...(observed.get(keyOf(name, labels)) ?? [])],
  };
}

/** In virtual time nothing pauses, so that there are no promises. */
function samplesOf(read: MetricSamples<string> | Promise<MetricSamples<string>>): MetricSamples<string> {
  if (read instanceof Promise)
    throw new Error("these metrics cannot wait for a gauge that collects in steps");
  return read;
}

function keyOf(name: string, labels: LabelValues<string>): string {
  return `${name}${JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
