import { oneOf, randomInt } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** A component crashes at some await of what it is doing, and is started again soon after. */
export const crash: ClusterFault = {
  name: "crash",
  async inject({ processes, schedule, random, restartable }) {
    const component = oneOf(restartable, random) ?? "";
    const [process] = processes.running(component);
    if (process === undefined) return;
    const when = random.next() < 0.5 ? "before-request" : "before-response";
    const requests = 1 + randomInt(random, 8);
    schedule.record("crash", { component, requests, when });
    const crashed = new Promise<void>((resolve) => {
      process.connection.crashAt({
        requests,
        when,
        crash: () => {
          process.kill();
          resolve();
        },
      });
    });
    // An idle process crashes all the same.
    await Promise.race([crashed, schedule.pause(schedule.duration(1000, 30_000))]);
    process.kill();
    await schedule.pause(schedule.duration(1, 20_000));
    processes.start(component);
  },
};

/** Two processes of a component run for a while, each as if it were alone. */
export const secondCopy: ClusterFault = {
  name: "second-copy",
  async inject({ processes, schedule, random, restartable }) {
    const component = oneOf(restartable, random) ?? "";
    if (processes.running(component).length !== 1) return;
    schedule.record("second-copy", { component });
    processes.start(component);
    await schedule.pause(schedule.duration(100, 60_000));
    const copies = processes.running(component);
    if (copies.length > 1) oneOf(copies, random)?.kill();
  },
};

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

/** The server compacts its history: a client whose watch has ended has to list again. */
export const compaction: ClusterFault = {
  name: "compaction",
  async inject({ cluster, schedule }) {
    schedule.record("compaction", { revision: cluster.store.revision() });
    cluster.store.compact();
  },
};
