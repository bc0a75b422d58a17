import { oneOf } from "../../machinery/random/random.ts";
import type { Calamity } from "./calamity.ts";

/** The API cannot be reached for a while: by nobody, or by one part. */
export const outage: Calamity = {
  name: "outage",
  async strike({ population, weather, random, mortals }) {
    const part = random.next() < 0.5 ? undefined : oneOf(mortals, random);
    const durationMs = weather.duration(100, 60_000);
    weather.tell("outage", { part: part ?? "all", durationMs });
    const lines = population.living(part).map(({ line }) => line);
    for (const line of lines) line.cut("connect ECONNREFUSED");
    await weather.pause(durationMs);
    // Whoever has died meanwhile stays dead.
    const living = new Set(population.living().map(({ line }) => line));
    for (const line of lines) if (living.has(line)) line.mend();
  },
};
