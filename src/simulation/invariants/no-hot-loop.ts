import type { Instant } from "../../api/time.ts";
import { isWrite } from "../../machinery/client/intercept-client.ts";
import type { Process } from "../observation.ts";
import type { Invariant } from "./invariant.ts";

const minuteMs = 60_000;

/** So many writes, done or refused, an process may need in a minute for every Pod there is. */
const writesPerPod = 20;
/** And so many whatever there is. */
const writesAnyway = 300;

interface Minute {
  began: Instant;
  writes: number;
}

/** No process writes without end, least of all without time passing. */
export const noHotLoop: Invariant = {
  name: "no-hot-loop",
  description: "the writes of a virtual minute are bounded",
  begin: ({ clock, store }) => {
    const minutes = new WeakMap<Process, Minute>();
    const count = (by: Process, what: () => string): string | undefined => {
      const now = clock.now();
      const minute = minutes.get(by) ?? { began: now, writes: 0 };
      minutes.set(by, minute);
      if (now - minute.began >= minuteMs) Object.assign(minute, { began: now, writes: 0 });
      minute.writes++;
      if (minute.writes <= writesAnyway) return undefined;
      const bound = writesAnyway + writesPerPod * (store()?.collection("pods").count() ?? 0);
      if (minute.writes <= bound) return undefined;
      return `${by.component} wrote ${minute.writes} times within a minute, the last time to ${what()}`;
    };
    return {
      commit: ({ collection, event, by }) =>
        by === undefined ? undefined : count(by, () => `${collection} ${event.record.key}`),
      failed: ({ by, call }) =>
        isWrite(call) ? count(by, () => `${call.collection} ${call.name ?? ""}`) : undefined,
    };
  },
};
