import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** Two copies of a part run for a while, each believing to be alone. */
export const secondCopy: ClusterFault = {
  name: "second-copy",
  async inject({ population, weather, random, mortals }) {
    const part = oneOf(mortals, random) ?? "";
    if (population.running(part).length !== 1) return;
    weather.record("second-copy", { part });
    population.start(part);
    await weather.pause(weather.duration(100, 60_000));
    const copies = population.running(part);
    if (copies.length > 1) oneOf(copies, random)?.kill();
  },
};
