import type { QueuedPod } from "./queued-pod.ts";
import type { WaitingPlace } from "./waiting-pods.ts";

/** Who is told what goes on in a queue. */
export interface QueueMeter {
  /** A Pod came to a place, because of this event. */
  entered(place: WaitingPlace, event: string): void;
  /** Plugins refused a Pod, which now waits. */
  blamed(entry: QueuedPod): void;
  /** A Pod no longer waits because of those that were blamed for it. */
  absolved(entry: QueuedPod): void;
  /** Where to ask for what changes by itself. */
  follow(gauges: {
    readonly count: (place: WaitingPlace) => number;
    readonly inFlightEvents: () => number;
  }): void;
}

const nothing = () => undefined;

/** Is told in vain. */
export const silentQueueMeter: QueueMeter = {
  entered: nothing,
  blamed: nothing,
  absolved: nothing,
  follow: nothing,
};
