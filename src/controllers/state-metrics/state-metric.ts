import type { StoredObject } from "../../api/object.ts";
import type { Metrics, Sample } from "../../machinery/metrics/metrics.ts";

/** One value of an object; few metrics have labels besides the object's own. */
export interface StateValue {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** One metric over all objects of a kind. */
export interface StateMetric<T extends StoredObject> {
  /** The name in kube-state-metrics. */
  readonly name: string;
  readonly help: string;
  /** Labels besides `namespace` and the object's name. */
  readonly labels?: readonly string[];
  /** The values for one object; `undefined` when it has none. */
  readonly read: (object: T) => number | undefined | readonly StateValue[];
}

export interface StateSource<T extends StoredObject> {
  /** The label that names an object: `deployment`. */
  readonly label: string;
  readonly list: () => readonly T[];
  readonly metrics: readonly StateMetric<T>[];
}

/** Exposes the state of objects as metrics, read at every scrape. */
export function exposeState<T extends StoredObject>(metrics: Metrics, source: StateSource<T>): void {
  const { label, list } = source;
  for (const { name, help, labels = [], read } of source.metrics) {
    const samplesOf = (object: T): readonly Sample<string>[] => {
      const own = { namespace: object.metadata.namespace ?? "", [label]: object.metadata.name };
      return valuesOf(read(object)).map(({ value, labels: more }) => ({
        labels: { ...own, ...more },
        value,
      }));
    };
    metrics
      .gauge({ name, help, labels: ["namespace", label, ...labels] })
      .collect(() => list().flatMap(samplesOf));
  }
}

function valuesOf(found: ReturnType<StateMetric<never>["read"]>): readonly StateValue[] {
  if (found === undefined) return [];
  return typeof found === "number" ? [{ value: found }] : found;
}
