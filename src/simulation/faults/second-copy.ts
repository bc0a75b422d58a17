import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

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
