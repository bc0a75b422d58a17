import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** The API cannot be reached for a while: by any component, or by one. */
export const outage: ClusterFault = {
  name: "outage",
  async inject({ processes, schedule, random, restartable }) {
    const component = random.next() < 0.5 ? undefined : oneOf(restartable, random);
    const durationMs = schedule.duration(100, 60_000);
    schedule.record("outage", { component: component ?? "all", durationMs });
    const connections = processes.running(component).map(({ connection }) => connection);
    for (const connection of connections) connection.cut("connect ECONNREFUSED");
    await schedule.pause(durationMs);
    // A process that was killed meanwhile stays cut off.
    const running = new Set(processes.running().map(({ connection }) => connection));
    for (const connection of connections) if (running.has(connection)) connection.restore();
  },
};
