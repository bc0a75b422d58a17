import type { Snapshot } from "../../decisions/placement/snapshot.ts";
import { type ClusterEvent, topicOf } from "./cluster-event.ts";
import type { QueueingHints } from "./hints/queueing-hints.ts";
import type { QueuedPod } from "./queued-pod.ts";

/** What a decision about a waiting Pod rests on. */
export interface Hearing {
  /** By plugin, of the profile the Pod belongs to. */
  readonly hints: ReadonlyMap<string, QueueingHints>;
  readonly snapshot: Snapshot;
}

/** Whether an event may have removed what kept a Pod waiting: only the plugins that are to blame are asked. */
export function mayHelp(
  { blamed, facts }: QueuedPod,
  event: ClusterEvent,
  { hints, snapshot }: Hearing,
): boolean {
  const topic = topicOf(event);
  for (const plugin of blamed) {
    const hint = hints.get(plugin);
    if (hint?.hears.has(topic) === true && hint.helps(facts, event, snapshot)) return true;
  }
  return false;
}
