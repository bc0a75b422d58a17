import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** Skews the clock of a component: by minutes after a restart, or by seconds while it runs. */
export const clockSkew: ClusterFault = {
  name: "clock-skew",
  async inject({ processes, schedule, random, restartable }) {
    const component = oneOf(restartable, random) ?? "";
    const [process] = processes.running(component);
    if (process === undefined) return;
    const sign = random.next() < 0.5 ? -1 : 1;
    if (random.next() < 0.5) {
      process.clock.skewMs += sign * schedule.duration(10, 30_000);
      schedule.record("clock-skew", { component, skewMs: process.clock.skewMs });
      return;
    }
    // A process measures durations by a monotonic clock, so a larger leap is seen only by one that starts anew.
    const skewMs = sign * schedule.duration(10, 600_000);
    schedule.record("clock-skew", { component, skewMs });
    process.kill();
    processes.start(component, skewMs);
  },
};
