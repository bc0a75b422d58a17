import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { podInfo } from "../../decisions/placement/snapshot/pod-info.ts";
import type { Snapshot } from "../../decisions/placement/snapshot/snapshot.ts";
import { NodeCache } from "./node-cache.ts";

/** A Pod that takes up resources on a node. */
interface CachedPod {
  /** With the node it is assigned or assumed to be on. */
  readonly pod: Pod;
  readonly node: string;
  /** The scheduler has chosen the node, and the API server has not confirmed it yet. */
  readonly isAssumed: boolean;
}

/** The objects that placement reads besides nodes and Pods. */
export type ClusterView = Omit<Snapshot, "nodes" | "nodesWithImage">;

/**
 * The nodes and Pods of the cluster as the API server reports them, with the Pods that the scheduler assumes to be on
 * the nodes it has chosen. An assumed Pod stays until it is confirmed, forgotten or deleted; it does not expire.
 */
export class SchedulerCache {
  readonly #nodes = new NodeCache();
  readonly #pods = new Map<string, CachedPod>();
  #assumed = 0;
  /** The current state of the cluster. The object may be kept; its contents change with the cache. */
  readonly snapshot: Snapshot;

  constructor(clusterView: ClusterView) {
    const nodes = this.#nodes;
    this.snapshot = {
      ...clusterView,
      get nodes() {
        return nodes.list();
      },
      nodesWithImage: (name) => nodes.nodesWithImage(name),
    };
  }

  /** Brings the snapshot up to date with pauses; reading it does the rest. */
  refresh(): Generator<void, void, void> {
    return this.#nodes.refresh();
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

  /** Adds or updates a Pod that has a node; an assumed Pod is confirmed, whichever node it was assumed on. */
  setPod(pod: Pod): void {
    this.#put({ pod, node: pod.spec.nodeName ?? "", isAssumed: false });
  }

  /** Removes a Pod and returns its last state. */
  removePod(uid: string): Pod | undefined {
    const known = this.#pods.get(uid);
    if (known === undefined) return undefined;
    this.#pods.delete(uid);
    if (known.isAssumed) this.#assumed--;
    this.#nodes.removePod(known.node, uid);
    return known.pod;
  }

  /** Adds a Pod to a node before the API server has bound it; false when it is on a node already. */
  assume(pod: Pod, node: string): boolean {
    if (this.#pods.has(pod.metadata.uid)) return false;
    this.#put({ pod: { ...pod, spec: { ...pod.spec, nodeName: node } }, node, isAssumed: true });
    return true;
  }

  /** Removes an assumed Pod and returns it; a Pod that the API server has confirmed stays. */
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
