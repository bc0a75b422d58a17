import { runFilters } from "./find-feasible-nodes.ts";
import type { Breakdown, Rejection } from "./plugin.ts";
import type { PluginSet } from "./plugin-set.ts";
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
): Rejection | Breakdown | undefined {
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
): Rejection | Breakdown | undefined {
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
