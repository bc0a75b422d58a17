import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { type ShownState, shownStateOf } from "./pod-state.ts";
import { workloadText, workloadOfPod } from "./workloads.ts";

/** Which Pods a view emphasises; empty members select all. */
export interface PodFilter {
  /** Words that all occur in the namespace, name, node or labels. */
  readonly text: string;
  /** The key of a workload. */
  readonly workload: string;
  readonly state: ShownState | "";
}

export const noFilter: PodFilter = { text: "", workload: "", state: "" };

export function isFiltering({ text, workload, state }: PodFilter): boolean {
  return text.trim() !== "" || workload !== "" || state !== "";
}

/** Makes a function that says whether a Pod is selected. */
export function podFilter(
  { text, workload, state }: PodFilter,
  cluster: ClusterState,
): (pod: Pod) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (pod) => {
    if (state !== "" && shownStateOf(pod) !== state) return false;
    if (workload !== "" && workloadText(workloadOfPod(pod, cluster)) !== workload) return false;
    return words.length === 0 || hasWords(pod, words);
  };
}

function hasWords({ metadata, spec }: Pod, words: readonly string[]): boolean {
  const labels = Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const text = [metadata.namespace, metadata.name, spec?.nodeName, ...labels].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}
