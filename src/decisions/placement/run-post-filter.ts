import { type NominatedPodsOn, rejectionBeside, rejectionBy } from "./node-rejection.ts";
import type { Placement } from "./place-pod.ts";
import type { FailedAttempt, Plugin, PostFilterResult, RefusalCode } from "./plugin.ts";
import type { PluginSet } from "./plugin-set.ts";
import { podInfo } from "./snapshot/pod-info.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

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
  snapshot: Snapshot,
  options: PostFilterOptions,
): Generator<void, PostFilterResult | undefined, void> {
  const { postFilter, pluginSet, nominatedPods, ...rest } = options;
  const refused = refusedNodes(placement, snapshot);
  if (postFilter === undefined || refused === undefined) return undefined;
  const pod = podInfo(placement.pod);
  const context = { snapshot, pluginSet, nominatedPods };
  return yield* postFilter(pod, snapshot, {
    ...rest,
    refused,
    // A nominated Pod may never arrive: what only fits thanks to it does not fit.
    rejectionBy: (node) => rejectionBeside(node, pod, context) ?? rejectionBy(node, pod, context),
  });
}

/** The code of the rejection of every node; `undefined` where PostFilter has nothing to do. */
function refusedNodes(
  { outcome, refused }: Placement,
  { nodes }: Snapshot,
): ReadonlyMap<string, RefusalCode> | undefined {
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
