import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { podInfo } from "../../decisions/placement/snapshot/pod-info.ts";
import type { Snapshot } from "../../decisions/placement/snapshot/snapshot.ts";
import { NodeCache } from "./node-cache.ts";

/** A Pod that takes up room on a node. */
interface CachedPod {
  /** With the node it is thought to be on. */
  readonly pod: Pod;
  readonly node: string;
  /** We have decided it, and the API server has not confirmed it yet. */
  readonly isAssumed: boolean;
}

/** What a snapshot needs besides nodes and Pods. */
export type ClusterView = Omit<Snapshot, "nodes" | "nodesWithImage">;

/**
 * What the scheduler believes about nodes and Pods: what the API server has told, and what it has decided itself and
 * not been told yet. An assumed Pod stays until it is confirmed, forgotten, or seen to go; time alone removes nobody.
 */
export class SchedulerCache {
  readonly #nodes = new NodeCache();
  readonly #pods = new Map<string, CachedPod>();
  #assumed = 0;
  /** The cluster as it is now. It may be kept, but says something else after every change. */
  readonly snapshot: Snapshot;

  constructor(surroundings: ClusterView) {
    const nodes = this.#nodes;
    this.snapshot = {
      ...surroundings,
      get nodes() {
        return nodes.list();
      },
      nodesWithImage: (name) => nodes.nodesWithImage(name),
    };
  }

  get counts(): { readonly nodes: number; readonly pods: number; readonly assumed_pods: number } {
    return { nodes: this.#nodes.size, pods: this.#pods.size, assumed_pods: this.#assumed };
  }

  setNode(node: Node): void {
    this.#nodes.setNode(node);
  }

  removeNode(name: string): void {
    this.#nodes.removeNode(name);
  }

  /** Takes in a Pod that has a node; an assumed one is confirmed, wherever it was thought to be. */
  setPod(pod: Pod): void {
    this.#put({ pod, node: pod.spec.nodeName ?? "", isAssumed: false });
  }

  /** Forgets a Pod that is gone, and says what it was last. */
  removePod(uid: string): Pod | undefined {
    const known = this.#pods.get(uid);
    if (known === undefined) return undefined;
    this.#pods.delete(uid);
    if (known.isAssumed) this.#assumed--;
    this.#nodes.removePod(known.node, uid);
    return known.pod;
  }

  /** Counts a Pod on a node before the API server has put it there; false when it is on one already. */
  assume(pod: Pod, node: string): boolean {
    if (this.#pods.has(pod.metadata.uid)) return false;
    this.#put({ pod: { ...pod, spec: { ...pod.spec, nodeName: node } }, node, isAssumed: true });
    return true;
  }

  /** Takes back what was assumed, and says what it was; what the API server has confirmed stays. */
  forget(uid: string): Pod | undefined {
    return this.isAssumed(uid) ? this.removePod(uid) : undefined;
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.isAssumed === true;
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  #put(cached: CachedPod): void {
    const { pod, node, isAssumed } = cached;
    const { uid } = pod.metadata;
    const before = this.#pods.get(uid);
    if (before !== undefined && before.node !== node) this.#nodes.removePod(before.node, uid);
    this.#assumed += Number(isAssumed) - Number(before?.isAssumed === true);
    this.#pods.set(uid, cached);
    this.#nodes.setPod(node, podInfo(pod));
  }
}
