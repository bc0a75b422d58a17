import type { Pod } from "../../api/generated/core-v1.ts";
import { loadAt } from "../../api/load/load-at.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { MetricsQuery } from "../../controllers/horizontal-pod-autoscaler/dependencies.ts";
import type { MetricsSource, TotalSample } from "../../decisions/autoscaling/metric-proposal.ts";
import { loadAnnotation } from "./annotated-load.ts";
import { type LoadObjects, loadOf } from "./load-source.ts";
import { measuringWindowMs } from "./measured-pod.ts";
import { podUsage } from "./pod-usage.ts";

/**
 * Returns the simulated metrics of an autoscaler: the numbers that `metrics.k8s.io` serves, and those of other loads.
 */
export function simulatedMetrics(objects: LoadObjects): (query: MetricsQuery) => MetricsSource {
  return ({ autoscaler, pods, described, now }) => {
    const usage = podUsage(objects, autoscaler.metadata.namespace ?? "", now);
    const samples = (metric: string, container: string | undefined, whenNone: string) => {
      // A Pod whose load cannot be read makes the answer an error, so that the autoscaler does not guess.
      const problem = usage.problemIn(pods);
      if (problem !== undefined) return { problem };
      const read = usage.reader(metric, container);
      const valueOf = (pod: Pod) => milli(read(pod));
      if (pods.every((pod) => read(pod) === undefined)) return { problem: whenNone };
      return { timestamp: now, windowMs: measuringWindowMs, valueOf };
    };
    return {
      resource: (name, container) =>
        samples(name, container, "no metrics returned from resource metrics API"),
      pods: (name) =>
        samples(
          name,
          undefined,
          `no metrics returned from custom metrics API: ${loadAnnotation} has no ${name}`,
        ),
      object({ kind, name }, metric) {
        const object = described(kind, name);
        return object === undefined
          ? { problem: "the object does not exist, or its kind is not known" }
          : totalOf(object, kind, { metric, now });
      },
      external: (metric) => totalOf(autoscaler, "HorizontalPodAutoscaler", { metric, now }),
    };
  };
}

function milli(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.ceil(value * 1000);
}

/** Returns a metric of an object that is not a Pod: its load as a whole. */
function totalOf(
  object: StoredObject,
  kind: string,
  { metric, now }: { readonly metric: string; readonly now: Instant },
): TotalSample | { readonly problem: string } {
  const source = loadOf(object, kind);
  if (source?.kind === "invalid") return { problem: source.problem };
  const load = source?.kind === "load" ? source.load.get(metric) : undefined;
  if (source?.kind !== "load" || load === undefined) {
    const { name } = object.metadata;
    return { problem: `${loadAnnotation} of ${kind} ${name} has no ${metric}` };
  }
  const time = { now, createdAt: source.createdAt };
  return { value: Math.ceil(loadAt(load, time, "") * 1000) };
}
