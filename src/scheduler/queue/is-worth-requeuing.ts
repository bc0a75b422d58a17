import type { ClusterView } from "../../decisions/placement/view/cluster-view.ts";
import { type ClusterEvent, clusterEventTypeOf } from "../../decisions/placement/cluster-event.ts";
import type { QueueingHints } from "../../decisions/placement/queueing-hints.ts";
import type { QueuedPod } from "./queued-pod.ts";

/** What the hints of a waiting Pod are evaluated with. */
export interface HintContext {
  /** The hints of the Pod's profile, by plugin. */
  readonly hints: ReadonlyMap<string, QueueingHints>;
  readonly cluster: ClusterView;
}

/** Whether an event may make a Pod schedulable, by the hints of the plugins that rejected it. */
export function isWorthRequeuing(
  { unschedulablePlugins, info }: QueuedPod,
  event: ClusterEvent,
  { hints, cluster }: HintContext,
): boolean {
  const type = clusterEventTypeOf(event);
  for (const plugin of unschedulablePlugins) {
    const hint = hints.get(plugin);
    if (hint?.events.has(type) === true && hint.isHelpful(info, event, cluster)) return true;
  }
  return false;
}
