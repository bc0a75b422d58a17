import type { PodFacts } from "../../../decisions/placement/facts/pod-facts.ts";
import type { Snapshot } from "../../../decisions/placement/snapshot.ts";
import type { ClusterEvent, Topic } from "../cluster-event.ts";

/** What may make a Pod fit that a plugin refused. Everything a plugin does not hear of cannot. */
export interface QueueingHints {
  readonly hears: ReadonlySet<Topic>;
  /** Whether an event the plugin hears of may help a waiting Pod; when in doubt, it may. */
  readonly helps: (waiting: PodFacts, event: ClusterEvent, snapshot: Snapshot) => boolean;
}

/** Hints of a plugin that hears of these topics. */
export function hints(topics: readonly Topic[], helps: QueueingHints["helps"]): QueueingHints {
  return { hears: new Set(topics), helps };
}
