import { nodes } from "../../api/resources.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** A node is deleted, and one of its name joins later: soon enough for its Pods, or when they have been removed. */
export const nodeDeletion: ClusterFault = {
  name: "node-deletion",
  async inject({ cluster, schedule, random }) {
    const { items } = await cluster.client.list(nodes, {});
    // One node always stays.
    const node = items.length > 1 ? oneOf(items, random) : undefined;
    if (node === undefined) return;
    const { name, labels = {} } = node.metadata;
    schedule.record("node-deletion", { node: name });
    await cluster.client.delete(nodes, { name });
    await schedule.pause(schedule.duration(1000, 120_000));
    const { podCIDR = "" } = node.spec;
    await cluster.client.create(nodes, { metadata: { name, labels }, spec: { podCIDR } });
  },
};
