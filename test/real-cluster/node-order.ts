import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isReady, isTerminal } from "../../src/api/pod-state.ts";
import { nodeOfDaemonPod } from "../../src/decisions/daemon/daemon-pods.ts";
import type { SeenPod } from "./pod-watch.ts";
import type { Story } from "./story.ts";

/** What a DaemonSet did node by node; nodes among each other are in an order that upstream draws. */
export interface NodesOrder {
  /** What happened on each node, in order, as `created web:2`; sorted where it is drawn which node it happened on. */
  readonly perNode: readonly string[];
  /** The most Pods of a node at once: without surge terminating ones too, which have to have ended first. */
  readonly mostOnANode: number;
  /**
   * Once all nodes had an available Pod: the most of them without one. Absent where nodes have taints: a Pod that such a node
   * loses in a rollout is not replaced, so it depends on the order, which upstream draws, how many are without one at once.
   */
  readonly mostUnavailable?: number;
  /** The most nodes with two Pods that are not being deleted. */
  readonly mostSurging: number;
}

/** Returns in which order the Pods of each node were created, became ready and were deleted. */
export function orderOnNodes(history: readonly SeenPod[], { spec, steps }: Story): NodesOrder {
  const surges = /"maxSurge":[1-9]/.test(JSON.stringify(spec));
  const isDrawn = steps.some((step) => step.do === "taint");
  const byNode = new Map<string, NodeRecord>();
  const most = { mostOnANode: 0, mostUnavailable: 0, mostSurging: 0 };
  const nodeCount = new Set(history.map(({ pod }) => nodeOfDaemonPod(pod))).size;
  let wereAllAvailable = false;
  for (const { pod, isGone } of history) {
    const node = nodeOfDaemonPod(pod) ?? "";
    const record = byNode.get(node) ?? new NodeRecord();
    byNode.set(node, record);
    record.see(pod, isGone);
    const records = [...byNode.values()];
    most.mostOnANode = Math.max(most.mostOnANode, surges ? record.active().length : record.pods.size);
    most.mostSurging = Math.max(most.mostSurging, records.filter((each) => each.active().length > 1).length);
    const available = records.filter((each) => each.active().some(isReady)).length;
    wereAllAvailable ||= available === nodeCount;
    if (wereAllAvailable) most.mostUnavailable = Math.max(most.mostUnavailable, nodeCount - available);
  }
  const perNode = [...byNode].map(
    ([node, { happened }]) => `${isDrawn ? `${node}: ` : ""}${happened.join(", ")}`,
  );
  const { mostUnavailable, ...others } = most;
  return { perNode: perNode.sort(), ...others, ...(!isDrawn && { mostUnavailable }) };
}

class NodeRecord {
  readonly happened: string[] = [];
  readonly pods = new Map<string, Pod>();
  readonly #noted = new Set<string>();

  see(pod: Pod, isGone: boolean): void {
    const { uid } = pod.metadata;
    this.#note("created", pod);
    if (isGone || isBeingDeleted(pod)) this.#note("deleted", pod);
    else if (isReady(pod)) this.#note("ready", pod);
    if (isGone || isTerminal(pod)) this.pods.delete(uid);
    else this.pods.set(uid, pod);
  }

  /** Those that are not being deleted. */
  active(): readonly Pod[] {
    return [...this.pods.values()].filter((pod) => !isBeingDeleted(pod));
  }

  #note(what: string, { metadata, spec }: Pod): void {
    const key = `${what} ${metadata.uid}`;
    if (!this.#noted.has(key)) this.happened.push(`${what} ${spec.containers[0]?.image}`);
    this.#noted.add(key);
  }
}
