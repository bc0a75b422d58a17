import type { QueuedPod } from "./queued-pod.ts";
import type { SubQueue } from "./waiting-pods.ts";

/** Who is told what goes on in a queue. */
export interface QueueMeter {
  /** A Pod came to a place, because of this event. */
  entered(place: SubQueue, event: string): void;
  /** Plugins refused a Pod, which now waits. */
  rejected(entry: QueuedPod): void;
  /** A Pod no longer waits because of those that were blamed for it. */
  rejectionCleared(entry: QueuedPod): void;
  /** So many events more or fewer are kept for Pods that are being tried. */
  inFlight(event: string, by: number): void;
  /** Where to ask how many wait. */
  follow(count: (place: SubQueue) => number): void;
}

const nothing = () => undefined;

/** Is told in vain. */
export const silentQueueMeter: QueueMeter = {
  entered: nothing,
  rejected: nothing,
  rejectionCleared: nothing,
  inFlight: nothing,
  follow: nothing,
};
