import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import { isObject } from "../placement/objects/reading.ts";
import { podRevisionLabel } from "../revisions/draft-revision.ts";
import { daemonPodsByNode } from "./daemon-pods.ts";
import { type NodeEligibility, nodeEligibility } from "./node-eligibility.ts";

/** A node, and the Pods of the DaemonSet there, the one that is kept first. */
export interface DaemonNode {
  readonly name: string;
  readonly eligibility: NodeEligibility;
  readonly pods: readonly Pod[];
}

/** The Pods of a node that does not exist. */
export type LostNode = Omit<DaemonNode, "eligibility">;

/** A DaemonSet's nodes and Pods as its plan reads them. */
export interface DaemonView {
  readonly daemonSet: DaemonSet;
  readonly nodes: readonly DaemonNode[];
  readonly lost: readonly LostNode[];
  /** How many nodes should run a Pod. */
  readonly desired: number;
  /** The hash of the current revision. */
  readonly hash: string;
  readonly minReadySeconds: number;
  readonly now: Instant;
}

/** What a view is made of. */
export interface DaemonViewSources {
  readonly daemonSet: DaemonSet;
  readonly nodes: readonly Node[];
  /** The Pods it controls. */
  readonly pods: readonly Pod[];
  readonly now: Instant;
}

/** Sorts the Pods of a DaemonSet by node, and decides about every node. */
export function daemonView({ daemonSet, nodes, pods, now }: DaemonViewSources, hash: string): DaemonView {
  const byNode = new Map(daemonPodsByNode(pods));
  const eligibilityOf = nodeEligibility(daemonSet);
  const known: DaemonNode[] = [];
  let desired = 0;
  for (const node of nodes) {
    if (!hasName(node)) continue;
    const { name } = node.metadata;
    const eligibility = eligibilityOf(node);
    if (eligibility.kind === "runs") desired++;
    known.push({ name, eligibility, pods: byNode.get(name) ?? [] });
    byNode.delete(name);
  }
  const lost = Array.from(byNode, ([name, onNode]) => ({ name, pods: onNode }));
  const minReadySeconds = positive(daemonSet.spec?.minReadySeconds);
  return { daemonSet, nodes: known, lost, desired, hash, minReadySeconds, now };
}

/** Whether a Pod is one of the current revision. */
export function isUpdated(pod: Pod, hash: string): boolean {
  return pod.metadata.labels?.[podRevisionLabel] === hash;
}

/** Objects that were never validated may lack metadata; they count as absent. */
export function hasName(object: Pick<StoredObject, "metadata">): boolean {
  const metadata: unknown = object?.metadata;
  return isObject(metadata) && "name" in metadata && typeof metadata.name === "string";
}

function positive(seconds: unknown): number {
  return typeof seconds === "number" && seconds > 0 ? seconds : 0;
}
