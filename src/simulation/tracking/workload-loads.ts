import type { HorizontalPodAutoscaler } from "../../api/generated/autoscaling-v2.ts";
import { qualifiedName } from "../../api/resource.ts";
import { horizontalPodAutoscalers } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import { simulatedMetrics } from "../../cluster/simulated-metrics/autoscaler-metrics.ts";
import { loadsOfStore } from "../../cluster/simulated-metrics/load-objects.ts";
import { type LoadObjects, loadSources } from "../../cluster/simulated-metrics/load-source.ts";
import { type NamespaceUsage, podUsage } from "../../cluster/simulated-metrics/pod-usage.ts";
import type { Store } from "../../cluster/store/store.ts";
import type { ClusterTracker } from "./cluster-tracker.ts";
import { workloadResultKey } from "./workload-progress.ts";

/** How much each workload has of each metric, by workload and by metric. */
export type WorkloadLoads = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The load of each workload now, as its autoscaler measures it: what its Pods use together of the metrics of their load,
 * and the External metrics of the autoscaler itself.
 */
export function workloadLoads(store: Store, tracker: ClusterTracker, now: Instant): WorkloadLoads {
  const objects = loadsOfStore(store);
  const loads = new Map<string, Map<string, number>>();
  const add = (workload: string, metric: string, value: number): void => {
    const metrics = loads.get(workload) ?? new Map<string, number>();
    loads.set(workload, metrics);
    metrics.set(metric, (metrics.get(metric) ?? 0) + value);
  };
  addUsage(tracker, { objects, now }, add);
  for (const { object } of store.collection(qualifiedName(horizontalPodAutoscalers)).records({}))
    // The collection holds only objects of its resource.
    addExternal(object as unknown as HorizontalPodAutoscaler, { objects, now }, add);
  return loads;
}

interface Moment {
  readonly objects: LoadObjects;
  readonly now: Instant;
}

type AddLoad = (workload: string, metric: string, value: number) => void;

function addUsage(tracker: ClusterTracker, { objects, now }: Moment, add: AddLoad): void {
  const sourceOf = loadSources(objects);
  const usages = new Map<string, NamespaceUsage>();
  const readers = new Map<string, ReturnType<NamespaceUsage["reader"]>>();
  // A reader divides a load anew whenever the next Pod has another one: each workload has its own.
  const readerOf = (workload: string, namespace: string, metric: string) => {
    const usage = usages.get(namespace) ?? podUsage(objects, namespace, now);
    usages.set(namespace, usage);
    const key = `${workload} ${metric}`;
    const reader = readers.get(key) ?? usage.reader(metric);
    readers.set(key, reader);
    return reader;
  };
  for (const { pod, workloads } of tracker.pods()) {
    const workload = workloads.at(-1);
    const source = sourceOf(pod);
    if (workload === undefined || source.kind !== "load") continue;
    for (const metric of source.load.keys())
      add(workload, metric, readerOf(workload, pod.metadata.namespace ?? "", metric)(pod) ?? 0);
  }
}

function addExternal(autoscaler: HorizontalPodAutoscaler, { objects, now }: Moment, add: AddLoad): void {
  const { kind, name } = autoscaler.spec.scaleTargetRef;
  const workload = workloadResultKey(kind, { ...autoscaler.metadata, name });
  const source = simulatedMetrics(objects)({ autoscaler, pods: [], described: () => undefined, now });
  for (const { external } of autoscaler.spec.metrics ?? []) {
    if (external === undefined) continue;
    const sample = source.external(external.metric.name);
    if ("value" in sample) add(workload, external.metric.name, sample.value / 1000);
  }
}
