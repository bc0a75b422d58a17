import type { StoredObject } from "../../api/object.ts";
import type { WatchEvent } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { expired, connectionReset } from "./failures.ts";
import type { ClientCall, Interceptor, WatchCall } from "../../machinery/client/intercept-client.ts";
import type { FaultSchedule } from "./fault-schedule.ts";

/** Something that may befall a watch when it has something to say. */
export type WatchFault = { readonly name: string } & (
  | { readonly does: "delay"; readonly shortestMs: number; readonly longestMs: number }
  /** With an error: the stream fails with it. */
  | { readonly does: "end"; readonly error?: () => Error }
);

/** All that may befall a watch, one line each. */
export const watchFaults: readonly WatchFault[] = [
  { name: "delayed-watch", does: "delay", shortestMs: 1, longestMs: 5000 },
  { name: "stalled-watch", does: "delay", shortestMs: 10_000, longestMs: 150_000 },
  { name: "ended-watch", does: "end" },
  { name: "broken-watch", does: "end", error: connectionReset },
  { name: "expired-watch", does: "end", error: expired },
];

/** No event is later than this: after five minutes controllers no longer expect it, and are right not to. */
const latestMs = 240_000;

export interface WatchFaultOptions {
  readonly schedule: FaultSchedule;
  readonly clock: Clock;
  /** Who watches. */
  readonly component: string;
}

/** Faults between a part and what it watches. Events may be late, and never out of order or left out. */
export function injectWatchFaults(faults: readonly WatchFault[], options: WatchFaultOptions): Interceptor {
  const { schedule, clock, component } = options;
  return {
    async *watch<T extends StoredObject>(
      { collection }: ClientCall,
      { open }: WatchCall<T>,
    ): AsyncGenerator<WatchEvent<T>, void> {
      let askedAt = clock.now();
      let lateMs = 0;
      for await (const event of open()) {
        if (clock.now() > askedAt) lateMs = 0; // it had to be waited for, so it is news
        for (const fault of faults) {
          if (!schedule.occurs(fault.name, () => ({ part: component, collection }))) continue;
          if (fault.does === "delay") {
            const before = clock.now();
            await schedule.pause(
              Math.min(schedule.duration(fault.shortestMs, fault.longestMs), latestMs - lateMs),
            );
            lateMs += clock.now() - before;
          } else if (fault.error === undefined) return;
          else throw fault.error();
        }
        yield event;
        askedAt = clock.now();
      }
    },
  };
}
