import type { Instant } from "../../api/time.ts";
import type { PodInfo } from "../../decisions/placement/snapshot/pod-info.ts";
import type { FailedAttempts } from "./back-off.ts";

/** A Pod that waits for a node, and what it has been through; `since` it came or was given back. */
export interface QueuedPod extends FailedAttempts {
  readonly info: PodInfo;
  /** The order of arrival, for those that came at the same instant. */
  readonly sequence: number;
  readonly attempts: number;
  /** When it could first have been tried. */
  readonly readyAt?: Instant;
  /** The plugins that refused it last time, or hold it back: only what helps against these helps it. */
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** It waits again only because it had waited long, not because of an event. */
  readonly flushed: boolean;
}

/** The Pod itself. */
export function uidOf({ info }: QueuedPod): string {
  return info.pod.metadata.uid;
}

/** Higher priority first, then who waits longer (PrioritySort). */
export function byPriority(a: QueuedPod, b: QueuedPod): number {
  return priorityOf(b) - priorityOf(a) || a.enqueuedAt - b.enqueuedAt || a.sequence - b.sequence;
}

function priorityOf({ info }: QueuedPod): number {
  return info.pod.spec.priority ?? 0;
}
