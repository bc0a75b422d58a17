import type { Pod } from "../../api/generated/core-v1.ts";
import { loadAt, shareOf } from "../../api/load/load-at.ts";
import type { MetricLoad } from "../../api/load/load.ts";
import type { Instant } from "../../api/time.ts";
import { type LoadObjects, type LoadSource, loadSources } from "./load-source.ts";
import { limitOf, loadedContainer, measuredPod } from "./measured-pod.ts";

/** Reads what a Pod uses, in the units of a metric; `undefined` while it is not measured, or has no such metric. */
type UsageReader = (pod: Pod) => number | undefined;

/** The usage of a namespace's Pods at one moment. */
export interface NamespaceUsage {
  /** Returns a reader of a metric, for all containers together or for one of them. */
  reader(metric: string, container?: string): UsageReader;
  /** Returns why the usage of one of the Pods is unknown, if its load cannot be read. */
  problemIn(pods: readonly Pod[]): string | undefined;
}

type Loaded = Extract<LoadSource, { readonly kind: "load" }>;

/** The metrics that every running Pod has, also without a load. */
const resourceMetrics: ReadonlySet<string> = new Set(["cpu", "memory"]);

/** Computes what Pods of a namespace use now, from the loads that they and their workloads are annotated with. */
export function podUsage(objects: LoadObjects, namespace: string, now: Instant): NamespaceUsage {
  const sourceOf = loadSources(objects);

  /** Returns what a Pod with a share of 1 gets of a load that is divided among Pods. */
  const perShare = (of: Pod, source: Loaded, load: MetricLoad): number => {
    let shares = 0;
    // A load in a Pod's own annotation belongs to that Pod alone.
    for (const pod of measuredPod(of).hasOwnLoad ? [of] : objects.podsIn(namespace)) {
      const { isServing, weight } = measuredPod(pod);
      if (isServing && sourceOf(pod) === source) shares += shareOf(load, pod.metadata.uid, weight);
    }
    return shares === 0 ? 0 : loadAt(load, { now, createdAt: source.createdAt }, "") / shares;
  };

  return {
    reader(metric, container) {
      const loadIn = (source: LoadSource) => (source.kind === "load" ? source.load.get(metric) : undefined);
      // Consecutive Pods mostly share their load.
      let last: { readonly source: LoadSource; readonly each: number } | undefined;
      const eachOf = (pod: Pod, source: Loaded, load: MetricLoad): number => {
        if (last?.source !== source) last = { source, each: perShare(pod, source, load) };
        return last.each;
      };
      const loadOn = (pod: Pod, source: LoadSource): number => {
        const load = loadIn(source);
        if (load === undefined || source.kind !== "load") return 0;
        const { isServing, weight } = measuredPod(pod);
        if (!isServing) return load.idle;
        const { uid } = pod.metadata;
        const each =
          load.of === "total"
            ? eachOf(pod, source, load)
            : loadAt(load, { now, createdAt: source.createdAt }, uid);
        return load.idle + each * shareOf(load, uid, weight);
      };
      return (pod) => {
        if (now < measuredPod(pod).measuredFrom) return undefined;
        const source = sourceOf(pod);
        const load = loadIn(source);
        if (source.kind === "invalid" || (load === undefined && !resourceMetrics.has(metric)))
          return undefined;
        const loaded = loadedContainer(pod, load?.container);
        if (loaded === undefined) return undefined;
        // The other containers of the Pod are measured, too: they are idle.
        if (container !== undefined && container !== loaded.name) return 0;
        return Math.min(loadOn(pod, source), limitOf(loaded, metric));
      };
    },
    problemIn(pods) {
      for (const pod of pods) {
        const source = sourceOf(pod);
        if (source.kind === "invalid") return source.problem;
      }
      return undefined;
    },
  };
}
