import type { ClusterFault } from "./cluster-fault.ts";

/** The server forgets the past: whoever lost his watch has to list again. */
export const compaction: ClusterFault = {
  name: "compaction",
  async inject({ world, weather }) {
    weather.record("compaction", { revision: world.store.revision() });
    world.store.compact();
  },
};
