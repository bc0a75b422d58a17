import type { QueuedPod } from "./queued-pod.ts";
import type { SubQueue } from "./waiting-pods.ts";

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
