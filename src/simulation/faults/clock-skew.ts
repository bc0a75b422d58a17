import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** The clock of a part is wrong: by minutes from one start to the next, or all of a sudden by seconds. */
export const clockSkew: ClusterFault = {
  name: "clock-skew",
  async inject({ population, weather, random, mortals }) {
    const part = oneOf(mortals, random) ?? "";
    const [victim] = population.running(part);
    if (victim === undefined) return;
    const sign = random.next() < 0.5 ? -1 : 1;
    if (random.next() < 0.5) {
      victim.clock.skewMs += sign * weather.duration(10, 30_000);
      weather.record("clock-skew", { part, skewMs: victim.clock.skewMs });
      return;
    }
    // A process measures durations by another clock than it tells the time by, so a leap comes with a new life only.
    const skewMs = sign * weather.duration(10, 600_000);
    weather.record("clock-skew", { part, skewMs });
    victim.kill();
    population.start(part, skewMs);
  },
};
