import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { collator, workloadOfPod, workloadsOf, workloadText } from "./workloads.ts";

/** What Pods of the same colour have in common. */
export const groupings = ["workload", "namespace", "state"] as const;
export type GroupBy = (typeof groupings)[number];

/** The key of the group of a Pod; states are coloured by their own names. */
export function groupKeyOf(by: GroupBy, pod: Pod, state: ClusterState): string {
  if (by === "workload") return workloadText(workloadOfPod(pod, state));
  return by === "namespace" ? (pod.metadata.namespace ?? "") : "";
}

export interface PodGroup {
  readonly key: string;
  readonly text: string;
}

/** The groups that have a colour of their own, in the order in which the legend names them. */
export function groupsOf(by: GroupBy, state: ClusterState): readonly PodGroup[] {
  if (by === "state") return [];
  if (by === "namespace") {
    const names = new Set(
      [...state.collections.pods.values()].map(({ metadata }) => metadata.namespace ?? ""),
    );
    return [...names].toSorted(collator.compare).map((name) => ({ key: name, text: name }));
  }
  const workloads = workloadsOf(state).map(({ kind, object: { metadata } }) => ({
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name,
  }));
  const isDouble = (name: string) => workloads.filter((each) => each.name === name).length > 1;
  return workloads.map((each) => ({
    key: workloadText(each),
    text: isDouble(each.name) ? `${each.namespace}/${each.name}` : each.name,
  }));
}
