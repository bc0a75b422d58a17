import type { Node, Pod } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../api/object.ts";
import { isTerminal } from "../../../api/pod-state.ts";
import { nodes as nodeResource, pods as podResource } from "../../../api/resources.ts";
import { isNotFound, isUidMismatch } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../../../machinery/controller.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { indexByNode, podsOnNode } from "../../kubelet/pods-by-node.ts";
import { isNodeReady } from "../../kubelet/nodes/simulated-node.ts";
import { disruptionTarget, patchPodStatus } from "./patch-pod-status.ts";

export interface PodGcDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly nodes: Informer<Node>;
  readonly pods: Informer<Pod>;
  /** How many terminal Pods may stay; absent: Kubernetes' default. */
  readonly terminatedThreshold?: number;
}

// upstream: podgc, quarantineTime, gcCheckPeriod and the default of --terminated-pod-gc-threshold
const quarantineMs = 40_000;
const countEveryMs = 20_000;
const defaultThreshold = 12_500;

const outOfService = "node.kubernetes.io/out-of-service";
const terminatedIndex = "terminated";

// A key names what is examined: the Pods on a node, or all terminal Pods.
const nodeKey = (name: string) => `node ${name}`;
const terminatedKey = "terminated";

/**
 * Deletes Pods that no kubelet will delete: those of nodes that are gone or out of service, those that are being
 * deleted and have no node, and the oldest terminal ones when there are too many.
 */
export function podGcController(deps: PodGcDependencies): ControllerSpec {
  const { nodes, pods, terminatedThreshold = defaultThreshold } = deps;
  indexByNode(pods);
  pods.addIndex(terminatedIndex, (pod) => (isTerminal(pod) ? [terminatedIndex] : []));
  const oldestTerminated = () => {
    const terminated = pods.byIndex(terminatedIndex, terminatedIndex);
    const excess = terminated.length - terminatedThreshold;
    return excess <= 0 ? [] : terminated.toSorted(byAge).slice(0, excess);
  };
  return {
    name: "pod-garbage-collector",
    workers: 2,
    watches: [
      watching(nodes, (queue) => ({
        updated: (_old, node) => {
          if (isOutOfService(node)) queue.add(nodeKey(node.metadata.name));
        },
        deleted: ({ metadata }) => queue.addAfter(nodeKey(metadata.name), quarantineMs),
      })),
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => enqueuePod(pod, queue, deps);
        return { added: enqueue, updated: (_old, pod) => enqueue(pod) };
      }),
    ],

    async reconcile(key, signal) {
      const doomed = key === terminatedKey ? oldestTerminated() : await stranded(key, deps, signal);
      for (const pod of doomed) await remove(pod, deps, signal);
      return done;
    },
  };
}

/** Returns the Pods that are left on a node that is gone or out of service, or without a node. */
async function stranded(
  key: string,
  { client, nodes, pods }: PodGcDependencies,
  signal: AbortSignal,
): Promise<readonly Pod[]> {
  const name = key.slice(nodeKey("").length);
  if (name === "") return pods.list().filter(isLeftUnassigned);
  const observed = nodes.get(name);
  if (observed !== undefined)
    return isOutOfService(observed) ? podsOnNode(pods, name).filter(isBeingDeleted) : [];
  return (await exists(client, name, signal)) ? [] : podsOnNode(pods, name);
}

function enqueuePod(pod: Pod, queue: KeyQueue, { nodes }: PodGcDependencies): void {
  const { nodeName } = pod.spec;
  if (isTerminal(pod)) queue.addAfter(terminatedKey, countEveryMs);
  if (nodeName === undefined) {
    if (isLeftUnassigned(pod)) queue.add(nodeKey(""));
    return;
  }
  const node = nodes.get(nodeName);
  if (node === undefined) queue.addAfter(nodeKey(nodeName), quarantineMs);
  else if (isBeingDeleted(pod) && isOutOfService(node)) queue.add(nodeKey(nodeName));
}

/**
 * Reports whether a Pod is being deleted without a node, so that no kubelet ends it. A finalizer may keep it until it
 * has failed.
 */
function isLeftUnassigned(pod: Pod): boolean {
  const isOver = isTerminal(pod) && pod.metadata.deletionGracePeriodSeconds === 0;
  return pod.spec.nodeName === undefined && isBeingDeleted(pod) && !isOver;
}

/** Reports whether an administrator tainted a node that is not ready as out of service. */
function isOutOfService(node: Node): boolean {
  return !isNodeReady(node) && (node.spec.taints ?? []).some(({ key }) => key === outOfService);
}

/** Reads the node from the API, since the informer may be late: a node that was just created must not lose its Pods. */
async function exists(client: Client, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get(nodeResource, { name }, signal);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Deletes a Pod at once; a Pod that has not ended is marked as failed first, so that its owner sees it. */
async function remove(pod: Pod, deps: PodGcDependencies, signal: AbortSignal): Promise<void> {
  const { client } = deps;
  const { namespace, name, uid } = pod.metadata;
  try {
    if (!isTerminal(pod)) {
      const why = { reason: "DeletionByPodGC", message: "PodGC: node no longer exists" };
      const conditions = hasLostNode(pod, deps) ? [disruptionTarget(pod, why, deps.clock.now())] : [];
      await patchPodStatus(client, pod, { phase: "Failed", conditions, signal });
    }
    const options = { gracePeriodSeconds: 0, preconditions: { uid }, signal };
    await client.delete(podResource, { namespace, name }, options);
  } catch (error) {
    if (!isNotFound(error) && !isUidMismatch(error)) throw error;
  }
}

/**
 * Reports whether the Pod lost its node. Only then is it disrupted; a Pod that is being deleted anyway ends as its user
 * wanted.
 */
function hasLostNode({ spec }: Pod, { nodes }: PodGcDependencies): boolean {
  return spec.nodeName !== undefined && nodes.get(spec.nodeName) === undefined;
}

function byAge(a: Pod, b: Pod): number {
  const [first = "", second = ""] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return first === second ? keyOf(a).localeCompare(keyOf(b)) : first < second ? -1 : 1;
}
