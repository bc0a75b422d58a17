import type { Namespace, Node, Pod } from "../../../api/generated/core-v1.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { type NodeBehaviour, type ReadNodeBehaviour, readNodeBehaviour } from "./node-behaviour.ts";
import {
  type PodSurroundings,
  readPodBehaviour,
  type ReadPodBehaviour,
  runOf,
  scaledBehaviour,
} from "./pod-behaviour.ts";

/** The objects besides the Pod that determine its behaviour. */
interface Surroundings {
  readonly namespaces: Informer<Namespace>;
  /** What random numbers depend on. */
  readonly identity: string;
}

// A node is read for each of its Pods, and rarely changes.
const readNodes = new WeakMap<Node, ReadNodeBehaviour>();

/** Returns how a Pod behaves on its node and in its namespace. */
export function behaviourOf(pod: Pod, node: Node, { namespaces, identity }: Surroundings): ReadPodBehaviour {
  let read = readNodes.get(node);
  if (read === undefined) readNodes.set(node, (read = readNodeBehaviour(node)));
  const namespace = namespaces.get(pod.metadata.namespace ?? "")?.metadata.annotations;
  const { behaviour, problems } = podBehaviourOf(pod, { namespace, node: read.podSettings, identity });
  const rejection = rejectionBy(read.behaviour);
  const { slow, shutdown } = read.behaviour;
  if (slow === 1 && rejection === undefined) return { behaviour, problems };
  return {
    behaviour: {
      ...scaledBehaviour(behaviour, slow),
      nodeShutdown: shutdown,
      ...(rejection !== undefined && { rejection }),
    },
    problems,
  };
}

/** The settings of a Pod when it was last read. */
interface LastRead {
  readonly surroundings: Required<PodSurroundings>;
  readonly labels: Pod["metadata"]["labels"];
  readonly run: number;
  readonly read: ReadPodBehaviour;
}

// Keyed by the annotations, which all versions of a Pod share until they change: each is read for its report and for
// the report's event.
const readPods = new WeakMap<object, LastRead>();

function podBehaviourOf(pod: Pod, surroundings: Required<PodSurroundings>): ReadPodBehaviour {
  const { annotations, labels } = pod.metadata;
  if (annotations === undefined) return readPodBehaviour(pod, surroundings);
  const known = readPods.get(annotations);
  const run = runOf(pod);
  if (known?.labels === labels && known?.run === run && isSame(known.surroundings, surroundings))
    return known.read;
  const read = readPodBehaviour(pod, surroundings);
  readPods.set(annotations, { surroundings, labels, run, read });
  return read;
}

function isSame(one: Required<PodSurroundings>, other: Required<PodSurroundings>): boolean {
  return one.identity === other.identity && one.namespace === other.namespace && one.node === other.node;
}

/** Returns the rejection of a new Pod, if its node accepts none. */
function rejectionBy({ shutdown, rejectReason }: NodeBehaviour) {
  if (shutdown) return { reason: "NodeShutdown", message: "Pod was rejected as the node is shutting down." };
  if (rejectReason === undefined) return undefined;
  const resource = /^OutOf(.+)$/.exec(rejectReason)?.[1];
  const why = resource === undefined ? rejectReason : `Node didn't have enough resource: ${resource}`;
  return { reason: rejectReason, message: `Pod was rejected: ${why}` };
}
