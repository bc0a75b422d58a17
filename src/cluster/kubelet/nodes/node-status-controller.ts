import type { Node } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { nodes as nodeResource } from "../../../api/resources.ts";
import type { Instant } from "../../../api/time.ts";
import { isNotFound, isUidMismatch } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type Clock, elapsedMs } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, type ReconcileResult, watching } from "../../../machinery/controller.ts";
import { type EventDraft, type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { type NodeBehaviour, readNodeBehaviour } from "../behaviour/node-behaviour.ts";
import { nodeReport, whyNotReady } from "./node-status.ts";
import { isSimulated } from "./simulated-node.ts";

export interface NodeStatusDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly nodes: Informer<Node>;
  readonly events: EventRecorder;
}

/** What the kubelet remembers of a node. */
interface NodeMemory {
  readonly uid: string;
  /** When each of the settings that begin at some time was first seen, by name. */
  readonly since: Map<string, Instant>;
  isMarked: boolean;
  isUnschedulable: boolean;
  problems: string;
}

/** Registers simulated nodes that have no status yet, and makes nodes behave as their annotations say. */
export function nodeStatusController(deps: NodeStatusDependencies): ControllerSpec {
  const { client, clock, nodes } = deps;
  const memories = new Map<string, NodeMemory>();
  const memoryOf = ({ metadata: { name, uid } }: Node): NodeMemory => {
    const known = memories.get(name);
    if (known?.uid === uid) return known;
    const memory = {
      uid,
      since: new Map<string, Instant>(),
      isMarked: false,
      isUnschedulable: false,
      problems: "",
    };
    memories.set(name, memory);
    return memory;
  };
  return {
    name: "kubelet-node-status",
    workers: 4,
    watches: [
      watching(nodes, (queue) => ({
        added: ({ metadata }) => queue.add(metadata.name),
        updated: (_old, { metadata }) => queue.add(metadata.name),
        deleted: ({ metadata }) => void memories.delete(metadata.name),
      })),
    ],
    ignores: (error) => isNotFound(error) || isUidMismatch(error),

    async reconcile(name, signal) {
      const node = nodes.get(name);
      if (node === undefined || !isSimulated(node)) return done;
      const memory = memoryOf(node);
      const { behaviour, problems } = readNodeBehaviour(node);
      for (const draft of invalidSimulationEvents(node, memory, problems.join("; ")))
        deps.events.record(draft);
      if (behaviour.unreachable) return done;
      for (const draft of schedulableEvents(node, memory)) deps.events.record(draft);
      const now = elapsedMs(clock);
      const deleteAt = deletionAt(memory, behaviour, now);
      if (now >= deleteAt) {
        await client.delete(nodeResource, { name }, { preconditions: { uid: node.metadata.uid }, signal });
        return done;
      }
      const flap = flapAt(memory, behaviour, now);
      const view = {
        node,
        behaviour,
        isFlappedDown: flap.isDown,
        wasMarked: memory.isMarked,
        now: clock.now(),
      };
      const status = nodeReport(view);
      if (status !== undefined) {
        const body = { metadata: { uid: node.metadata.uid }, status } as unknown as JsonObject;
        await client.patch(
          nodeResource,
          { name },
          { type: "strategic", body, subresource: "status", signal },
        );
      }
      // Set only now: a report that failed is repeated from the same view.
      memory.isMarked = whyNotReady(view) !== undefined;
      return requeue(Math.min(deleteAt, flap.changesAt), now);
    },
  };
}

function requeue(at: Instant, now: Instant): ReconcileResult {
  return Number.isFinite(at) ? { requeueAfterMs: at - now } : done;
}

/** Returns when a node with that setting is deleted; infinite: never. */
function deletionAt(memory: NodeMemory, { deleteAfterMs }: NodeBehaviour, now: Instant): Instant {
  if (deleteAfterMs !== undefined) return firstSeen(memory, "delete", now) + deleteAfterMs;
  memory.since.delete("delete");
  return Number.POSITIVE_INFINITY;
}

/** Returns whether a flapping node is down now, and until when; it begins up. */
function flapAt(memory: NodeMemory, { flapMs }: NodeBehaviour, now: Instant) {
  if (flapMs === undefined) {
    memory.since.delete("flap");
    return { isDown: false, changesAt: Number.POSITIVE_INFINITY };
  }
  const since = firstSeen(memory, "flap", now);
  const turns = Math.floor((now - since) / flapMs);
  return { isDown: turns % 2 === 1, changesAt: since + (turns + 1) * flapMs };
}

function firstSeen({ since }: NodeMemory, name: string, now: Instant): Instant {
  const known = since.get(name) ?? now;
  since.set(name, known);
  return known;
}

/** Reports that a node was cordoned or uncordoned; a kubelet that finds a cordoned node says so, too. */
// upstream: kubelet, recordNodeSchedulableEvent
function schedulableEvents(node: Node, memory: NodeMemory): readonly EventDraft[] {
  const isUnschedulable = node.spec.unschedulable === true;
  if (isUnschedulable === memory.isUnschedulable) return [];
  memory.isUnschedulable = isUnschedulable;
  const reason = isUnschedulable ? "NodeNotSchedulable" : "NodeSchedulable";
  const message = `Node ${node.metadata.name} status is now: ${reason}`;
  return [{ regarding: referenceTo(nodeResource, node), type: "Normal", reason, message }];
}

/** Reports all mistakes in one event, and the same mistakes only once. */
function invalidSimulationEvents(node: Node, memory: NodeMemory, problems: string): readonly EventDraft[] {
  const isNew = problems !== "" && problems !== memory.problems;
  memory.problems = problems;
  if (!isNew) return [];
  const regarding = referenceTo(nodeResource, node);
  return [{ regarding, type: "Warning", reason: "InvalidSimulation", message: problems }];
}
