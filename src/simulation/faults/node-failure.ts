import { nodes, pods } from "../../api/resources.ts";
import { unreachableAnnotation } from "../../api/well-known.ts";
import { isUnreachable } from "../../cluster/kubelet/behaviour/node-behaviour.ts";
import { isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/**
 * A node goes silent and returns: for so short that it goes unnoticed, or for so long that its Pods are evicted. Some
 * administrators do not wait for that and delete its Pods by force.
 */
export const nodeFailure: ClusterFault = {
  name: "node-failure",
  async inject({ cluster, schedule, random }) {
    const { items } = await cluster.client.list(nodes, {});
    const reachable = items.filter((node) => !isUnreachable(node));
    // One node always stays.
    const node = reachable.length > 1 ? oneOf(reachable, random)?.metadata.name : undefined;
    if (node === undefined) return;
    const isForced = random.next() < 0.3;
    schedule.record("node-failure", { node, isForced });
    await silence(cluster, node, "true");
    await schedule.pause(schedule.duration(10_000, 500_000));
    if (isForced) await deleteByForce(cluster, node);
    await schedule.pause(schedule.duration(1000, 120_000));
    await silence(cluster, node, null).catch(unlessGone);
  },
};

async function silence({ client }: SimulatedCluster, name: string, value: string | null): Promise<void> {
  const body = { metadata: { annotations: { [unreachableAnnotation]: value } } };
  await client.patch(nodes, { name }, { type: "merge", body });
}

async function deleteByForce({ client }: SimulatedCluster, node: string): Promise<void> {
  const { items } = await client.list(pods, { fieldSelector: `spec.nodeName=${node}` });
  for (const { metadata } of items) {
    const preconditions = { uid: metadata.uid };
    await client.delete(pods, metadata, { gracePeriodSeconds: 0, preconditions }).catch(unlessGone);
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
