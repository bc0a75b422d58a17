import type { Instant } from "../../../src/api/time.ts";
import { isWrite } from "../../../src/machinery/client/intercept-client.ts";
import type { Process } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";

const minuteMs = 60_000;

/**
 * So many writes, done or refused, a process may need in a minute for every Pod that existed in it. The busiest process
 * is the kubelet, which writes the whole life of a Pod in about eleven commits: three statuses on the way to ready, the
 * terminal phase, two for the removal (a grace period of 0 is stored, then the Pod is deleted), and up to five events.
 * Nearly every write may be refused once.
 */
const writesPerPod = 20;
/** And so many whatever there is. */
const writesAnyway = 300;

interface Minute {
  readonly began: Instant;
  writes: number;
  /** The Pods that existed at any time since it began. */
  pods: number;
}

/** No process writes without end, least of all without time passing. */
export const noHotLoop: Invariant = {
  name: "no-hot-loop",
  description: "the writes of a virtual minute are bounded",
  begin: ({ clock, store }) => {
    const minutes = new Map<Process, Minute>();
    const minuteOf = (by: Process): Minute => {
      const now = clock.now();
      const known = minutes.get(by);
      if (known !== undefined && now - known.began < minuteMs) return known;
      const minute = { began: now, writes: 0, pods: store()?.collection("pods").count() ?? 0 };
      minutes.set(by, minute);
      return minute;
    };
    const count = (by: Process, what: () => string): string | undefined => {
      const minute = minuteOf(by);
      minute.writes++;
      // Not the Pods that exist now: those that have ended within the minute were written, too.
      if (minute.writes <= writesAnyway + writesPerPod * minute.pods) return undefined;
      return `${by.component} wrote ${minute.writes} times within a minute, the last time to ${what()}`;
    };
    const podAdded = (): void => {
      for (const minute of minutes.values()) minute.pods++;
    };
    return {
      commit({ collection, event, by }) {
        if (collection === "pods" && event.type === "ADDED") podAdded();
        return by === undefined ? undefined : count(by, () => `${collection} ${event.record.key}`);
      },
      failed: ({ by, call }) =>
        isWrite(call) ? count(by, () => `${call.collection} ${call.name ?? ""}`) : undefined,
    };
  },
};
