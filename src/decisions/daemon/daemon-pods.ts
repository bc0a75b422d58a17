import { compareText } from "../../api/compare-text.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { parseTime } from "../../api/time.ts";
import { itemsOf, stringOf, textsOf } from "../placement/objects/reading.ts";

/** The node of a daemon Pod: the one it is bound to, or else the one its affinity names (upstream: GetTargetNodeName). */
export function nodeOfDaemonPod({ spec }: Pod): string | undefined {
  const bound = stringOf(spec?.nodeName);
  if (bound !== "") return bound;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields } of itemsOf(required?.nodeSelectorTerms)) {
    const onName = itemsOf(matchFields).find(
      ({ key, operator }) => key === "metadata.name" && operator === "In",
    );
    if (onName === undefined) continue;
    const [name, ...others] = textsOf(onName.values);
    return others.length === 0 ? name : undefined;
  }
  return undefined;
}

/** Pods of one DaemonSet by their nodes, the Pods of every node in the order in which they are kept. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/** Sorts Pods by node. A Pod that has ended and is being deleted no longer counts: only a finalizer keeps it. */
export function daemonPodsByNode(pods: readonly Pod[]): PodsByNode {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (isTerminal(pod) && isBeingDeleted(pod)) continue;
    const node = nodeOfDaemonPod(pod);
    if (node === undefined) continue;
    const known = byNode.get(node);
    if (known === undefined) byNode.set(node, [pod]);
    else known.push(pod);
  }
  for (const onNode of byNode.values()) if (onNode.length > 1) onNode.sort(compareDaemonPods);
  return byNode;
}

/** The rule by which one Pod is kept rather than another. */
export type KeepingRule = "assigned" | "older" | "name";

/** The rule that puts one Pod before another. */
export function keepingRule(one: Pod, other: Pod): KeepingRule {
  if (hasNode(one) !== hasNode(other)) return "assigned";
  return createdAt(one) === createdAt(other) ? "name" : "older";
}

/** Assigned Pods first, then older ones, then by name (upstream: podByCreationTimestampAndPhase). */
function compareDaemonPods(one: Pod, other: Pod): number {
  switch (keepingRule(one, other)) {
    case "assigned":
      return hasNode(one) ? -1 : 1;
    case "older":
      return createdAt(one) - createdAt(other);
    case "name":
      return compareText(one.metadata.name, other.metadata.name);
  }
}

export function hasNode({ spec }: Pod): boolean {
  return stringOf(spec?.nodeName) !== "";
}

function createdAt({ metadata }: Pod): number {
  return parseTime(metadata.creationTimestamp) ?? 0;
}
