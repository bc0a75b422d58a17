import type { Instant } from "../../api/time.ts";
import type { PodFacts } from "../../decisions/placement/facts/pod-facts.ts";
import type { Failures } from "./back-off.ts";

/** A Pod that waits for a node, and what it has been through; `since` it came or was given back. */
export interface QueuedPod extends Failures {
  readonly facts: PodFacts;
  /** The order of arrival, for those that came at the same instant. */
  readonly sequence: number;
  readonly attempts: number;
  /** When it could first have been tried. */
  readonly readyAt?: Instant;
  /** The plugins that refused it last time, or hold it back: only what helps against these helps it. */
  readonly blamed: ReadonlySet<string>;
  /** It waits again only because it had waited long, not because of an event. */
  readonly flushed: boolean;
}

/** The Pod itself. */
export function uidOf({ facts }: QueuedPod): string {
  return facts.pod.metadata.uid;
}

/** Higher priority first, then who waits longer (PrioritySort). */
export function byPriority(a: QueuedPod, b: QueuedPod): number {
  return priorityOf(b) - priorityOf(a) || a.since - b.since || a.sequence - b.sequence;
}

function priorityOf({ facts }: QueuedPod): number {
  return facts.pod.spec.priority ?? 0;
}
