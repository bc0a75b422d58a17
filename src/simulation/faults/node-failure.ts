import type { JsonObject } from "../../api/json.ts";
import { nodes, pods } from "../../api/resources.ts";
import { formatTime } from "../../api/time.ts";
import { isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

const unreachable = "node.kubernetes.io/unreachable";

/**
 * A node fails: its kubelet stops, it is marked, its Pods are deleted, and it comes back. In a real cluster the node
 * lifecycle controller does the marking and deleting; until there is one, the fault does it.
 */
export const nodeFailure: ClusterFault = {
  name: "node-failure",
  async inject({ world, weather, nodes: troubles, random }) {
    const { items } = await world.client.list(nodes, {});
    const standing = items.filter(({ metadata }) => !troubles.isStopped(metadata.name));
    // Somewhere the world has to go on.
    const node = standing.length > 1 ? oneOf(standing, random)?.metadata.name : undefined;
    if (node === undefined) return;
    const isForced = random.next() < 0.5;
    weather.record("node-failure", { node, isForced });
    troubles.stop(node);
    await weather.pause(weather.duration(100, 40_000));
    await mark(world, node, false);
    await weather.pause(weather.duration(100, 30_000));
    await evict(world, node, isForced);
    await weather.pause(weather.duration(1000, 120_000));
    if (isForced) await evict(world, node, isForced);
    await mark(world, node, true);
    troubles.start(node);
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
