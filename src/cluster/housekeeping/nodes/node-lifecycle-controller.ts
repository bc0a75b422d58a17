import type { Lease } from "../../../api/generated/coordination-v1.ts";
import type { Node, Pod, NodeCondition } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { nodes as nodeResource } from "../../../api/resources.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type Clock, elapsedMs } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../../../machinery/controller.ts";
import { type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { findCondition } from "../../../api/conditions.ts";
import { formatTime, type Instant } from "../../../api/time.ts";
import { indexByNode } from "../../kubelet/pods-by-node.ts";
import { isNodeReady } from "../../kubelet/nodes/simulated-node.ts";
import { markPodsNotReady } from "./mark-pods-not-ready.ts";
import { NodeHeartbeats } from "./node-heartbeats.ts";
import { wantedTaints } from "./node-taints.ts";

export interface NodeLifecycleDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly nodes: Informer<Node>;
  readonly pods: Informer<Pod>;
  readonly leases: Informer<Lease>;
  readonly events: EventRecorder;
}

const leaseNamespace = "kube-node-lease";

/**
 * Monitors nodes: marks a node whose kubelet is silent as Unknown, taints nodes that are not healthy, so that they get
 * no Pods and nodes that are not ready lose theirs, and marks the Pods there as not ready.
 */
export function nodeLifecycleController(deps: NodeLifecycleDependencies): ControllerSpec {
  const { client, clock, nodes, leases, events } = deps;
  const heartbeats = new NodeHeartbeats();
  indexByNode(deps.pods);

  /** Marks a node whose kubelet has been silent for too long. */
  const markUnknown = async (node: Node, signal: AbortSignal): Promise<Node> => {
    const conditions = unknownConditions(node, clock.now());
    if (conditions.length === 0) return node;
    const { name } = node.metadata;
    if (isNodeReady(node))
      events.record({
        regarding: referenceTo(nodeResource, node),
        type: "Normal",
        reason: "NodeNotReady",
        message: `Node ${name} status is now: NodeNotReady`,
      });
    const body = { metadata: { uid: node.metadata.uid }, status: { conditions } } as unknown as JsonObject;
    return client.patch(nodeResource, { name }, { type: "strategic", body, subresource: "status", signal });
  };

  return {
    name: "node-lifecycle",
    workers: 4,
    watches: [
      watching(nodes, (queue) => ({
        added: (node) => {
          queue.add(node.metadata.name);
          if (isNodeReady(node)) enqueueIfAlone(node, nodes, queue);
        },
        updated: (old, node) => {
          queue.add(node.metadata.name);
          if (isNodeReady(old) !== isNodeReady(node)) enqueueIfAlone(node, nodes, queue);
        },
        deleted: (node) => {
          heartbeats.forget(node);
          if (isNodeReady(node)) enqueueIfAlone(node, nodes, queue);
        },
      })),
      watching(leases, (queue) => {
        const enqueue = ({ metadata }: Lease) => {
          if (metadata.namespace === leaseNamespace) queue.add(metadata.name);
        };
        return { added: enqueue, updated: (_old, lease) => enqueue(lease) };
      }),
      deps.pods,
    ],
    ignores: isNotFound,

    async reconcile(name, signal) {
      const observed = nodes.get(name);
      if (observed === undefined) return done;
      const now = elapsedMs(clock);
      const lease = leases.get(`${leaseNamespace}/${name}`);
      const silentAt = heartbeats.silentTooLongAt(observed, lease, now);
      const isSilent = silentAt !== undefined && now >= silentAt;
      const node = isSilent ? await markUnknown(observed, signal) : observed;
      const evicts = !isNodeReady(node) && hasOtherReadyNode(node, nodes);
      const taints = wantedTaints(node, { evicts, now: clock.now() });
      if (taints !== undefined)
        await client.update(nodeResource, { ...node, spec: { ...node.spec, taints } }, { signal });
      if (!isNodeReady(node)) await markPodsNotReady(name, deps, signal);
      return silentAt === undefined || isSilent ? done : { requeueAfterMs: silentAt - now };
    },
  };
}

/**
 * Reports whether another node is ready. If none is, this component is more likely to be cut off than all nodes to be
 * lost, so no Pod is evicted. The node itself does not count: the informer may not have seen yet that it was marked.
 */
function hasOtherReadyNode({ metadata }: Node, nodes: Informer<Node>): boolean {
  return nodes.list().some((each) => each.metadata.name !== metadata.name && isNodeReady(each));
}

/** Enqueues all nodes that are not ready when the first node becomes ready or the last one stops being ready. */
function enqueueIfAlone(changed: Node, nodes: Informer<Node>, queue: KeyQueue): void {
  if (hasOtherReadyNode(changed, nodes)) return;
  for (const node of nodes.list()) if (!isNodeReady(node)) queue.add(node.metadata.name);
}

const monitoredConditions = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** Returns the conditions to set to Unknown on a node whose kubelet has been silent for too long. */
function unknownConditions({ status }: Node, now: Instant): readonly NodeCondition[] {
  const at = formatTime(now);
  return monitoredConditions.flatMap((type) => {
    const stored = findCondition(status?.conditions, type);
    if (stored?.status === "Unknown") return [];
    const why =
      stored === undefined
        ? { reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status." }
        : { reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." };
    return [{ ...stored, type, status: "Unknown", ...why, lastTransitionTime: at }];
  });
}
