import type { Node, Pod } from "../api/generated/core-v1.ts";
import { keyOf } from "../api/object.ts";
import { isTerminal } from "../api/pod-state.ts";
import { pods as podResource } from "../api/resources.ts";
import { isConflict, isNotFound } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../machinery/controller.ts";
import { type EventRecorder, referenceTo } from "../machinery/events/event-draft.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import { emptiestNode } from "./emptiest-node.ts";

export interface BinderDependencies {
  readonly client: Client;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly events: EventRecorder;
}

/** Puts every waiting Pod on a node, where a scheduler would be more than a test needs. One worker sees what it did. */
export function standInBinder({ client, pods, nodes, events }: BinderDependencies): ControllerSpec {
  /** Bound by us and not seen bound yet: counted, or a burst of Pods would pile up on one node. */
  const onTheWay = new Map<string, string>();
  pods.addIndex("node", (pod) => (isTerminal(pod) ? [] : [pod.spec.nodeName ?? ""]));
  const wake = (queue: KeyQueue) => (pod: Pod) =>
    isWaiting(pod) ? queue.add(keyOf(pod)) : onTheWay.delete(pod.metadata.uid);
  return {
    name: "stand-in-binder",
    workers: 1,
    watches: [
      watching(pods, (queue) => ({
        added: wake(queue),
        updated: (_old, pod) => wake(queue)(pod),
        deleted: (pod) => onTheWay.delete(pod.metadata.uid),
      })),
      watching(nodes, (queue) => ({
        added: () =>
          pods
            .byIndex("node", "")
            .filter(isWaiting)
            .forEach((pod) => queue.add(keyOf(pod))),
      })),
    ],

    async reconcile(key, signal) {
      const pod = pods.get(key);
      if (pod === undefined || !isWaiting(pod) || onTheWay.has(pod.metadata.uid)) return done;
      const coming = [...onTheWay.values()];
      const podsOn = (name: string) =>
        pods.byIndex("node", name).length + coming.filter((node) => node === name).length;
      const node = emptiestNode(nodes.list(), podsOn);
      if (node === undefined) return done; // a new node wakes every waiting Pod

      const { name } = node.metadata;
      onTheWay.set(pod.metadata.uid, name);
      try {
        await client.bind(pod.metadata, { uid: pod.metadata.uid, target: { kind: "Node", name } }, signal);
      } catch (error) {
        onTheWay.delete(pod.metadata.uid);
        if (isNotFound(error) || isConflict(error)) return done;
        throw error;
      }
      const message = `Successfully assigned ${key} to ${name}`;
      events.record({
        regarding: referenceTo(podResource, pod),
        type: "Normal",
        reason: "Scheduled",
        message,
      });
      return done;
    },
  };
}

function isWaiting({ spec, metadata }: Pod): boolean {
  const gated = (spec.schedulingGates ?? []).length > 0;
  return spec.nodeName === undefined && metadata.deletionTimestamp === undefined && !gated;
}
