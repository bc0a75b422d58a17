import type { Pod } from "../api/generated/core-v1.ts";
import { podInfo, type PodInfo } from "../decisions/placement/objects/pod-info.ts";

/**
 * The Pods that wait for a node on which preemption makes room for them (upstream: nominator). A nomination is known here
 * before the API server has it.
 */
export class NominatedPods {
  readonly #nodes = new Map<string, string>();
  readonly #pods = new Map<string, Map<string, PodInfo>>();

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** The Pods nominated to a node, of any priority. */
  readonly on = (node: string): readonly PodInfo[] => [...(this.#pods.get(node)?.values() ?? [])];

  /** The node that a Pod is nominated to. */
  nodeOf(uid: string): string | undefined {
    return this.#nodes.get(uid);
  }

  set(pod: Pod, node: string): void {
    const { uid } = pod.metadata;
    this.delete(uid);
    this.#nodes.set(uid, node);
    const there = this.#pods.get(node) ?? new Map<string, PodInfo>();
    this.#pods.set(node, there.set(uid, podInfo(pod)));
  }

  delete(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#nodes.delete(uid);
    const there = this.#pods.get(node);
    there?.delete(uid);
    if (there?.size === 0) this.#pods.delete(node);
  }

  /** Follows the status of a Pod that waits; a nomination that the API server does not have yet is kept. */
  follow(before: Pod | undefined, after: Pod): void {
    const { uid } = after.metadata;
    const wasNominated = before !== undefined && nominationOf(before) !== "";
    const node = nominationOf(after) || (wasNominated ? "" : (this.nodeOf(uid) ?? ""));
    if (node === "") this.delete(uid);
    else this.set(after, node);
  }
}

/** The node that the status of a Pod names; empty without one. */
export function nominationOf({ status }: Pod): string {
  return status?.nominatedNodeName ?? "";
}
