import { runFilters } from "./find-feasible-nodes.ts";
import type { PluginFailure, Rejection } from "./plugin.ts";
import type { PluginSet } from "./plugin-entry.ts";
import { rejectionOfExcluded, runPreFilter } from "./run-pre-filter.ts";
import type { NodeInfo } from "./objects/node-info.ts";
import { type PodInfo, priorityOf } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** The Pods that are nominated to a node, by its name. */
export type NominatedPodsOn = (node: string) => readonly PodInfo[];

/** Runs every filter for a Pod on one node as the view shows it: the rejection, if there is one. */
export function rejectionBy(
  node: NodeInfo,
  pod: PodInfo,
  { cluster, pluginSet }: FilterContext,
): Rejection | PluginFailure | undefined {
  const { end, narrowedNodes, filters } = runPreFilter(pod, cluster, pluginSet);
  if (end !== undefined) return end;
  if (narrowedNodes !== undefined && !narrowedNodes.nodes.has(node.name))
    return rejectionOfExcluded(narrowedNodes);
  return runFilters(node, filters);
}

export interface FilterContext {
  readonly cluster: ClusterView;
  readonly pluginSet: PluginSet;
  readonly nominatedPods: NominatedPodsOn;
}

/** The rejection of a Pod beside the Pods that are nominated to a node and as important as it. */
export function rejectionBeside(
  node: NodeInfo,
  pod: PodInfo,
  context: FilterContext,
): Rejection | PluginFailure | undefined {
  const ahead = podsAhead(pod, context.nominatedPods(node.name));
  if (ahead.length === 0) return undefined;
  return context.cluster.dryRun(node, { with: ahead }, (assumed) =>
    rejectionBy(assumed.node, pod, { ...context, cluster: assumed.cluster }),
  );
}

/** The Pods that a Pod may not take a nominated place from: the others that are as important. */
function podsAhead({ pod }: PodInfo, nominated: readonly PodInfo[]): readonly PodInfo[] {
  const [uid, priority] = [pod.metadata?.uid, priorityOf(pod)];
  return nominated.filter((other) => other.pod.metadata?.uid !== uid && priorityOf(other.pod) >= priority);
}

/** Every reason with how many nodes it holds for, sorted; a node with several reasons counts for each. */
export function countReasons(nodes: Iterable<readonly string[]>): string {
  const counts = new Map<string, number>();
  for (const reasons of nodes) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .map(([reason, times]) => `${times} ${reason}`)
    .sort()
    .join(", ");
}
