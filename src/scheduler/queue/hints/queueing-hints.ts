import type { PodInfo } from "../../../decisions/placement/snapshot/pod-info.ts";
import type { Snapshot } from "../../../decisions/placement/snapshot/snapshot.ts";
import type { ClusterEvent, ClusterEventType } from "../cluster-event.ts";

/** What may make a Pod fit that a plugin refused. Everything a plugin does not hear of cannot. */
export interface QueueingHints {
  readonly events: ReadonlySet<ClusterEventType>;
  /** Whether an event the plugin hears of may help a waiting Pod; when in doubt, it may. */
  readonly isHelpful: (waiting: PodInfo, event: ClusterEvent, snapshot: Snapshot) => boolean;
}

/** Hints of a plugin that hears of these topics. */
export function hints(topics: readonly ClusterEventType[], helps: QueueingHints["isHelpful"]): QueueingHints {
  return { events: new Set(topics), isHelpful: helps };
}
