import type { Pod } from "../../api/generated/core-v1.ts";
import { loadAt, shareOf } from "../../api/load/load-at.ts";
import type { MetricLoad } from "../../api/load/load.ts";
import type { Instant } from "../../api/time.ts";
import { type LoadObjects, type LoadSource, loadSources } from "./load-source.ts";
import { limitOf, loadedContainer, measuredPod } from "./measured-pod.ts";

/** The use of one container, in the units of the metric. */
interface ContainerUsage {
  readonly container: string;
  readonly value: number;
}

/** What the Pods of a namespace use at one moment. */
export interface PodUsage {
  /** What a Pod uses; all of it is one container's. `undefined` while the Pod is not measured, or has no such metric. */
  usageOf(pod: Pod, metric: string): ContainerUsage | undefined;
  /** Why the use of a Pod is not known, where its load cannot be read. */
  problemOf(pod: Pod): string | undefined;
}

type Loaded = Extract<LoadSource, { readonly kind: "load" }>;

/** The metrics that every running Pod has, also without a load. */
const resourceMetrics: ReadonlySet<string> = new Set(["cpu", "memory"]);

/** Computes what Pods of a namespace use now, from the loads that they and their workloads are annotated with. */
export function podUsage(objects: LoadObjects, namespace: string, now: Instant): PodUsage {
  const sourceOf = loadSources(objects);
  const perShare = loadPerShare(() => objects.podsIn(namespace), sourceOf, now);

  const loadOn = (pod: Pod, source: Loaded, metric: string): number => {
    const load = source.load.get(metric);
    if (load === undefined) return 0;
    const { isServing, weight } = measuredPod(pod);
    if (!isServing) return load.idle;
    const { uid } = pod.metadata;
    const each =
      load.of === "total"
        ? perShare(source, metric, load)
        : loadAt(load, { now, createdAt: source.createdAt }, uid);
    return load.idle + each * shareOf(load, uid, weight);
  };

  return {
    usageOf(pod, metric) {
      if (now < measuredPod(pod).measuredFrom) return undefined;
      const source = sourceOf(pod);
      if (source.kind === "invalid") return undefined;
      const load = source.kind === "load" ? source.load.get(metric) : undefined;
      if (load === undefined && !resourceMetrics.has(metric)) return undefined;
      const container = loadedContainer(pod, load?.container);
      if (container === undefined) return undefined;
      const value = source.kind === "load" ? loadOn(pod, source, metric) : 0;
      return { container: container.name, value: Math.min(value, limitOf(pod, container, metric)) };
    },
    problemOf(pod) {
      const source = sourceOf(pod);
      return source.kind === "invalid" ? source.problem : undefined;
    },
  };
}

/** What a Pod with a share of 1 gets of a load that is divided among Pods, computed once per load and metric. */
function loadPerShare(
  pods: () => Iterable<Pod>,
  sourceOf: (pod: Pod) => LoadSource,
  now: Instant,
): (source: Loaded, metric: string, load: MetricLoad) => number {
  let serving: Map<LoadSource, Pod[]> | undefined;
  const known = new Map<LoadSource, Map<string, number>>();
  return (source, metric, load) => {
    const ofSource = known.get(source) ?? new Map<string, number>();
    if (ofSource.size === 0) known.set(source, ofSource);
    const found = ofSource.get(metric);
    if (found !== undefined) return found;
    serving ??= servingPods(pods(), sourceOf);
    let shares = 0;
    for (const pod of serving.get(source) ?? [])
      shares += shareOf(load, pod.metadata.uid, measuredPod(pod).weight);
    const each = shares === 0 ? 0 : loadAt(load, { now, createdAt: source.createdAt }, "") / shares;
    ofSource.set(metric, each);
    return each;
  };
}

/** The Pods that serve a load together. */
function servingPods(pods: Iterable<Pod>, sourceOf: (pod: Pod) => LoadSource): Map<LoadSource, Pod[]> {
  const serving = new Map<LoadSource, Pod[]>();
  for (const pod of pods) {
    if (!measuredPod(pod).isServing) continue;
    const source = sourceOf(pod);
    if (source.kind !== "load") continue;
    const sharing = serving.get(source);
    if (sharing === undefined) serving.set(source, [pod]);
    else sharing.push(pod);
  }
  return serving;
}
