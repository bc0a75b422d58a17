import { oneOf } from "../../machinery/random/random.ts";
import type { Calamity } from "./calamity.ts";

/** Two copies of a part run for a while, each believing to be alone. */
export const secondCopy: Calamity = {
  name: "second-copy",
  async strike({ population, weather, random, mortals }) {
    const part = oneOf(mortals, random) ?? "";
    if (population.living(part).length !== 1) return;
    weather.tell("second-copy", { part });
    population.start(part);
    await weather.pause(weather.duration(100, 60_000));
    const copies = population.living(part);
    if (copies.length > 1) oneOf(copies, random)?.kill();
  },
};
