import type { Calamity } from "./calamity.ts";

/** The server forgets the past: whoever lost his watch has to list again. */
export const compaction: Calamity = {
  name: "compaction",
  async strike({ world, weather }) {
    weather.tell("compaction", { revision: world.store.revision() });
    world.store.compact();
  },
};
