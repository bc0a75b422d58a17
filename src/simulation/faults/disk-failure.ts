import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** The disk of the API server is full, broken or late for a while: writes are refused, or answered after a long time. */
export const diskFailure: ClusterFault = {
  name: "disk-failure",
  needs: "disk",
  async inject({ disk, schedule, random }) {
    if (disk === undefined) return;
    const state = oneOf(["full", "broken", "late", "unreliable"] as const, random) ?? "full";
    const durationMs = schedule.duration(100, 60_000);
    schedule.record("disk-failure", { state, durationMs });
    const { lateRate, errorRate } = disk;
    if (state === "late") disk.lateRate = 0.5;
    else if (state === "unreliable") disk.errorRate = 0.2;
    else disk.state = state;
    await schedule.pause(durationMs);
    Object.assign(disk, { state: "good", lateRate, errorRate });
  },
};
