import type { Pod } from "../../api/generated/core-v1.ts";
import type { Store } from "../../cluster/store/store.ts";
import { type ClientCall, type Interceptor, isWrite } from "../../machinery/client/intercept-client.ts";
import type { FaultSchedule } from "./fault-schedule.ts";
import { nodes, pods } from "../../api/resources.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";
import { unreachableAnnotation } from "../../api/well-known.ts";
import { isUnreachable } from "../../cluster/kubelet/behaviour/node-behaviour.ts";
import { ApiError, isAlreadyExists, isNotFound } from "../../machinery/client/api-error.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";

/** Tracks which nodes are slow. One kubelet simulates all nodes, so its writes are delayed Pod by Pod. */
export class NodeFaults {
  readonly #slow = new Map<string, number>();

  slowDown(node: string, delayMs: number): void {
    this.#slow.set(node, delayMs);
  }

  speedUp(node: string): void {
    this.#slow.delete(node);
  }

  /** Returns the interceptor between the kubelet and the API. */
  interceptor(store: () => Store | undefined, schedule: FaultSchedule): Interceptor {
    const nodeOf = ({ collection, namespace = "", name = "" }: ClientCall): string | undefined => {
      if (collection !== "pods") return undefined;
      const pod = store()?.collection("pods").get(`${namespace}/${name}`)?.object as Pod | undefined;
      return pod?.spec.nodeName;
    };
    return {
      call: async (call, send) => {
        const node = isWrite(call) ? nodeOf(call) : undefined;
        const delayMs = node === undefined ? undefined : this.#slow.get(node);
        if (delayMs !== undefined) await schedule.pause(delayMs);
        return send();
      },
    };
  }
}

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
    // A write that the disk refuses may still take effect, so the node returns whatever the answer is.
    await silence(cluster, node, "true").catch(unlessRefused);
    await schedule.pause(schedule.duration(10_000, 500_000));
    if (isForced) await deleteByForce(cluster, node);
    await schedule.pause(schedule.duration(1000, 120_000));
    await untilTaken(cluster.clock, () => silence(cluster, node, null));
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
    await client.delete(pods, metadata, { gracePeriodSeconds: 0, preconditions }).catch(unlessRefused);
  }
}

/** The administrator does not retry what the API server refuses. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/**
 * Repeats the write that ends a fault while the API server cannot take it, since its disk may fail at that moment: the
 * node would never return, and the deletion of its Pods never complete.
 */
async function untilTaken(clock: Clock, write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      // The node was deleted, or an earlier attempt took effect after all.
      if (isNotFound(error) || isAlreadyExists(error)) return;
      if (!(error instanceof ApiError) || error.code < 500) throw error;
    }
    await clock.sleep(1000);
  }
}

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
    // As above: the node joins again whatever the answer is.
    await cluster.client.delete(nodes, { name }).catch(unlessRefused);
    await schedule.pause(schedule.duration(1000, 120_000));
    const { podCIDR = "" } = node.spec;
    const joining = { metadata: { name, labels }, spec: { podCIDR } };
    await untilTaken(cluster.clock, () => cluster.client.create(nodes, joining));
  },
};
