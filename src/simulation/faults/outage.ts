import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** The API cannot be reached for a while: by nobody, or by one part. */
export const outage: ClusterFault = {
  name: "outage",
  async inject({ population, weather, random, mortals }) {
    const part = random.next() < 0.5 ? undefined : oneOf(mortals, random);
    const durationMs = weather.duration(100, 60_000);
    weather.record("outage", { part: part ?? "all", durationMs });
    const lines = population.running(part).map(({ connection }) => connection);
    for (const line of lines) line.cut("connect ECONNREFUSED");
    await weather.pause(durationMs);
    // Whoever has died meanwhile stays dead.
    const living = new Set(population.running().map(({ connection }) => connection));
    for (const line of lines) if (living.has(line)) line.restore();
  },
};
