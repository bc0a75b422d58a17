import type { Snapshot } from "../../decisions/placement/snapshot/snapshot.ts";
import { type ClusterEvent, clusterEventTypeOf } from "../../decisions/placement/cluster-event.ts";
import type { QueueingHints } from "../../decisions/placement/queueing-hints.ts";
import type { QueuedPod } from "./queued-pod.ts";

/** What a decision about a waiting Pod rests on. */
export interface HintContext {
  /** By plugin, of the profile the Pod belongs to. */
  readonly hints: ReadonlyMap<string, QueueingHints>;
  readonly snapshot: Snapshot;
}

/** Whether an event may have removed what kept a Pod waiting: only the plugins that are to blame are asked. */
export function isWorthRequeuing(
  { unschedulablePlugins, info }: QueuedPod,
  event: ClusterEvent,
  { hints, snapshot }: HintContext,
): boolean {
  const topic = clusterEventTypeOf(event);
  for (const plugin of unschedulablePlugins) {
    const hint = hints.get(plugin);
    if (hint?.events.has(topic) === true && hint.isHelpful(info, event, snapshot)) return true;
  }
  return false;
}
