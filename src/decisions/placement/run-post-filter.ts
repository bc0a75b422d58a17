import { type NominatedPodsOn, rejectionBeside, rejectionBy } from "./node-rejection.ts";
import type { Placement } from "./place-pod.ts";
import type { FailedAttempt, Plugin, PostFilterResult, RejectionCode } from "./plugin.ts";
import type { PluginSet } from "./plugin-entry.ts";
import { podInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** What PostFilter is run with. */
export interface PostFilterOptions extends Pick<FailedAttempt, "nominatedNode" | "budgetsIn" | "draw"> {
  /** Of the plugin that is enabled; absent: there is none. */
  readonly postFilter: Plugin["postFilter"];
  readonly pluginSet: PluginSet;
  readonly nominatedPods: NominatedPodsOn;
}

/** Looks for a way to place a Pod that no node passed every filter for; `undefined` for any other placement. */
export function* runPostFilter(
  placement: Placement,
  cluster: ClusterView,
  options: PostFilterOptions,
): Generator<void, PostFilterResult | undefined, void> {
  const { postFilter, pluginSet, nominatedPods, ...rest } = options;
  const refused = refusedNodes(placement, cluster);
  if (postFilter === undefined || refused === undefined) return undefined;
  const pod = podInfo(placement.pod);
  return yield* postFilter(pod, cluster, {
    ...rest,
    refused,
    rejectionBy(node, assumed) {
      const context = { cluster: assumed, pluginSet, nominatedPods };
      // A nominated Pod may never arrive: what only fits thanks to it does not fit.
      return rejectionBeside(node, pod, context) ?? rejectionBy(node, pod, context);
    },
  });
}

/** The code of the rejection of every node; `undefined` where PostFilter has nothing to do. */
function refusedNodes(
  { outcome, refused }: Placement,
  { nodes }: ClusterView,
): ReadonlyMap<string, RejectionCode> | undefined {
  switch (outcome.kind) {
    case "unfit":
      return refused.codes();
    case "refused":
      return new Map(nodes.map(({ name }) => [name, outcome.rejection.code]));
    case "placed":
    case "no-nodes":
    case "failed":
      return undefined;
  }
}
