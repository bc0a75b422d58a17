import type { StoredObject } from "../../api/object.ts";
import type { Metrics, Sample } from "../../machinery/metrics/metrics.ts";

/** A value of an object as kube-state-metrics shows it; more labels than the object's own are rare. */
export interface StateValue {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** One metric over all objects of a kind. */
export interface StateMetric<T extends StoredObject> {
  /** As kube-state-metrics has it. */
  readonly name: string;
  readonly help: string;
  /** Labels besides `namespace` and the object's name. */
  readonly labels?: readonly string[];
  /** What it says of one object; nothing when the object says nothing. */
  readonly read: (object: T) => number | undefined | readonly StateValue[];
}

export interface StateSource<T extends StoredObject> {
  /** The label that names an object: `deployment`. */
  readonly label: string;
  readonly list: () => readonly T[];
  readonly metrics: readonly StateMetric<T>[];
}

/** Shows the state of objects as metrics, read anew whenever they are asked for. */
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
