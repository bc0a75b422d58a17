import { runFilters } from "./find-feasible-nodes.ts";
import type { Breakdown, Rejection } from "./plugin.ts";
import type { PluginSet } from "./plugin-set.ts";
import { rejectionOfExcluded, runPreFilter } from "./run-pre-filter.ts";
import type { AssumedChange } from "./snapshot/cluster-columns.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";
import { priorityOf } from "./snapshot/priority.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** The Pods that are nominated to a node, by its name. */
export type NominatedPodsOn = (node: string) => readonly PodInfo[];

/** A Pod on a node whose Pods are changed. */
export interface Trial {
  readonly pod: PodInfo;
  readonly node: NodeInfo;
  readonly change: AssumedChange;
}

/**
 * Runs every filter for a Pod on a node whose Pods are changed, and nothing else in the cluster: the rejection, if there
 * is one (upstream: a dry run).
 */
export function tryNode(
  { pod, node, change }: Trial,
  snapshot: Snapshot,
  pluginSet: PluginSet,
): Rejection | Breakdown | undefined {
  return snapshot.columns.dryRun(node, change, () => {
    const { end, narrowedNodes, filters } = runPreFilter(pod, snapshot, pluginSet);
    if (end !== undefined) return end;
    if (narrowedNodes !== undefined && !narrowedNodes.nodes.has(node.name))
      return rejectionOfExcluded(narrowedNodes);
    return runFilters(node, filters);
  });
}

/** The Pods that a Pod may not take a nominated place from: the others that are as important. */
export function podsAhead({ pod }: PodInfo, nominated: readonly PodInfo[]): readonly PodInfo[] {
  const [uid, priority] = [pod.metadata?.uid, priorityOf(pod)];
  return nominated.filter((other) => other.pod.metadata?.uid !== uid && priorityOf(other.pod) >= priority);
}
