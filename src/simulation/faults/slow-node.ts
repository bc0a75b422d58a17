import { nodes } from "../../api/resources.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** The kubelet of a node takes its time over everything. */
export const slowNode: ClusterFault = {
  name: "slow-node",
  async inject({ world, weather, nodes: troubles, random }) {
    const node = oneOf((await world.client.list(nodes, {})).items, random)?.metadata.name ?? "";
    const delayMs = weather.duration(100, 20_000);
    weather.record("slow-node", { node, delayMs });
    troubles.slowDown(node, delayMs);
    await weather.pause(weather.duration(1000, 120_000));
    troubles.speedUp(node);
  },
};
