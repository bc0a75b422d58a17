import type { JsonObject } from "../../api/json.ts";
import { nodes, pods } from "../../api/resources.ts";
import { formatTime } from "../../api/time.ts";
import { isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { ClusterFault } from "./cluster-fault.ts";

const unreachable = "node.kubernetes.io/unreachable";

/**
 * A node fails: its kubelet stops, it is marked, its Pods are deleted, and it comes back. In a real cluster the node
 * lifecycle controller does the marking and deleting; until there is one, the fault does it.
 */
export const nodeFailure: ClusterFault = {
  name: "node-failure",
  async inject({ cluster, schedule, nodeFaults, random }) {
    const { items } = await cluster.client.list(nodes, {});
    const reachable = items.filter(({ metadata }) => !nodeFaults.isStopped(metadata.name));
    // One node always stays.
    const node = reachable.length > 1 ? oneOf(reachable, random)?.metadata.name : undefined;
    if (node === undefined) return;
    const isForced = random.next() < 0.5;
    schedule.record("node-failure", { node, isForced });
    nodeFaults.stop(node);
    await schedule.pause(schedule.duration(100, 40_000));
    await mark(cluster, node, false);
    await schedule.pause(schedule.duration(100, 30_000));
    await evict(cluster, node, isForced);
    await schedule.pause(schedule.duration(1000, 120_000));
    if (isForced) await evict(cluster, node, isForced);
    await mark(cluster, node, true);
    nodeFaults.start(node);
  },
};

async function mark({ client, clock }: SimulatedCluster, name: string, isReady: boolean): Promise<void> {
  const at = formatTime(clock.now());
  const condition = isReady
    ? { status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" }
    : { status: "Unknown", reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." };
  const ready = { type: "Ready", lastHeartbeatTime: at, lastTransitionTime: at, ...condition };
  const status: JsonObject = { conditions: [ready] };
  await client.patch(nodes, { name }, { type: "strategic", body: { status }, subresource: "status" });
  const taint = (effect: string): JsonObject => ({ key: unreachable, effect, timeAdded: at });
  const taints = isReady ? null : [taint("NoSchedule"), taint("NoExecute")];
  await client.patch(nodes, { name }, { type: "merge", body: { spec: { taints } } });
}

async function evict({ client }: SimulatedCluster, node: string, isForced: boolean): Promise<void> {
  const { items } = await client.list(pods, { fieldSelector: `spec.nodeName=${node}` });
  const options = isForced ? { gracePeriodSeconds: 0 } : {};
  for (const { metadata } of items) {
    await client
      .delete(pods, metadata, { ...options, preconditions: { uid: metadata.uid } })
      .catch(unlessGone);
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
