import type { Instant } from "../../api/time.ts";
import { type PodInfo, priorityOf } from "../../decisions/placement/objects/pod-info.ts";
import type { FailedAttempts } from "./back-off.ts";
import type { SubQueue } from "./waiting-pods.ts";

/** A Pod of the scheduling queue and the history of its attempts; `enqueuedAt` it was added or requeued. */
export interface QueuedPod extends FailedAttempts {
  readonly info: PodInfo;
  /** The order of arrival, for Pods that were added at the same instant. */
  readonly sequence: number;
  readonly attempts: number;
  /** When it first entered the active queue (upstream: InitialAttemptTimestamp). */
  readonly readyAt?: Instant;
  /** The plugins that rejected it in the last attempt, or gate it: only an event that these wait for can help. */
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** It was requeued because it had waited for long, not because of an event. */
  readonly flushed: boolean;
}

/** The UID of the Pod, by which the queue knows it. */
export function uidOf({ info }: QueuedPod): string {
  return info.pod.metadata.uid;
}

/** Orders by priority, then by waiting time (upstream: PrioritySort). */
export function byPriority(a: QueuedPod, b: QueuedPod): number {
  return (
    priorityOf(b.info.pod) - priorityOf(a.info.pod) || a.enqueuedAt - b.enqueuedAt || a.sequence - b.sequence
  );
}

/** Measures a scheduling queue. */
export interface QueueMeter {
  /** A Pod entered a sub-queue because of an event. */
  entered(subQueue: SubQueue, event: string): void;
  /** A Pod waits because plugins rejected it. */
  rejected(entry: QueuedPod): void;
  /** A Pod no longer waits because of the plugins that rejected it. */
  rejectionCleared(entry: QueuedPod): void;
  /** The number of events kept for attempts in flight changed. */
  inFlight(event: string, by: number): void;
  /** Registers the function that counts the Pods of a sub-queue. */
  follow(count: (subQueue: SubQueue) => number): void;
}

const nothing = () => undefined;

/** Measures nothing. */
export const silentQueueMeter: QueueMeter = {
  entered: nothing,
  rejected: nothing,
  rejectionCleared: nothing,
  inFlight: nothing,
  follow: nothing,
};
