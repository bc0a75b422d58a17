import { randomInt } from "../../machinery/random/random.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** A part dies at some await of what it is doing, and is started again soon after. */
export const crash: ClusterFault = {
  name: "death",
  async inject({ population, weather, random, mortals }) {
    const part = oneOf(mortals, random) ?? "";
    const [victim] = population.running(part);
    if (victim === undefined) return;
    const when = random.next() < 0.5 ? "before it is sent" : "before it is heard";
    const requests = 1 + randomInt(random, 8);
    weather.record("death", { part, requests, when });
    const died = new Promise<void>((resolve) => {
      victim.connection.crashAt({
        requests,
        when,
        crash: () => {
          victim.kill();
          resolve();
        },
      });
    });
    // One that has nothing to do dies all the same.
    await Promise.race([died, weather.pause(weather.duration(1000, 30_000))]);
    victim.kill();
    await weather.pause(weather.duration(1, 20_000));
    population.start(part);
  },
};
