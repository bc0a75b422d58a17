import { type Calamity, oneOf } from "./calamity.ts";

/** The clock of a part is wrong for a while. */
export const clockSkew: Calamity = {
  name: "clock-skew",
  async strike({ population, weather, random, mortals }) {
    const victim = oneOf(
      mortals.flatMap((part) => population.living(part)),
      random,
    );
    if (victim === undefined) return;
    const skewMs = weather.duration(10, 600_000) * (random.next() < 0.5 ? -1 : 1);
    weather.tell("clock-skew", { part: victim.part, skewMs });
    victim.clock.skewMs = skewMs;
    await weather.pause(weather.duration(1000, 300_000));
    victim.clock.skewMs = 0;
  },
};
