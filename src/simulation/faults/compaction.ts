import type { ClusterFault } from "./cluster-fault.ts";

/** The server compacts its history: a client whose watch has ended has to list again. */
export const compaction: ClusterFault = {
  name: "compaction",
  async inject({ cluster, schedule }) {
    schedule.record("compaction", { revision: cluster.store.revision() });
    cluster.store.compact();
  },
};
