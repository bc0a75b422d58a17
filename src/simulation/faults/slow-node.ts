import { nodes } from "../../api/resources.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** The kubelet of a node is slow to report anything. */
export const slowNode: ClusterFault = {
  name: "slow-node",
  async inject({ cluster, schedule, nodeFaults, random }) {
    const node = oneOf((await cluster.client.list(nodes, {})).items, random)?.metadata.name ?? "";
    const delayMs = schedule.duration(100, 20_000);
    schedule.record("slow-node", { node, delayMs });
    nodeFaults.slowDown(node, delayMs);
    await schedule.pause(schedule.duration(1000, 120_000));
    nodeFaults.speedUp(node);
  },
};
