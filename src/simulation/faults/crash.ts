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
