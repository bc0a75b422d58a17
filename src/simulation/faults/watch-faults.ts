import type { StoredObject } from "../../api/object.ts";
import type { WatchEvent } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { expired, connectionReset } from "./failures.ts";
import type { ClientCall, Interceptor, WatchCall } from "../../machinery/client/intercept-client.ts";
import type { FaultSchedule } from "./fault-schedule.ts";

/** Something that can go wrong with a watch when it has an event to deliver. */
export type WatchFault = { readonly name: string } & (
  | { readonly effect: "delay"; readonly shortestMs: number; readonly longestMs: number }
  /** With an error: the stream fails with it. */
  | { readonly effect: "end"; readonly error?: () => Error }
);

/** All watch faults, one line each. */
export const watchFaults: readonly WatchFault[] = [
  { name: "delayed-watch", effect: "delay", shortestMs: 1, longestMs: 5000 },
  { name: "stalled-watch", effect: "delay", shortestMs: 10_000, longestMs: 150_000 },
  { name: "ended-watch", effect: "end" },
  { name: "broken-watch", effect: "end", error: connectionReset },
  { name: "expired-watch", effect: "end", error: expired },
];

/** The longest delay of an event; controllers stop expecting one after five minutes. */
const latestMs = 240_000;

export interface WatchFaultOptions {
  readonly schedule: FaultSchedule;
  readonly clock: Clock;
  /** The component that watches. */
  readonly component: string;
}

/** Injects faults between a component and its watches. Events may be late, but never out of order or left out. */
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
        if (clock.now() > askedAt) lateMs = 0; // the event had to be waited for, so it is new
        for (const fault of faults) {
          if (!schedule.occurs(fault.name, () => ({ component, collection }))) continue;
          if (fault.effect === "delay") {
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
