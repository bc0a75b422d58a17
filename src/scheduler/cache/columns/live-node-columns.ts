import type { NodeColumns } from "../../../decisions/placement/view/cluster-columns.ts";
import type { LiveNode } from "./live-node.ts";

/** What filters read of every node, written with every change. */
export class LiveNodeColumns implements NodeColumns {
  isUnschedulable: Uint8Array;
  isTainted: Uint8Array;
  podCount: Int32Array;
  allowedPods: Float64Array;

  constructor(capacity: number) {
    this.isUnschedulable = new Uint8Array(capacity);
    this.isTainted = new Uint8Array(capacity);
    this.podCount = new Int32Array(capacity);
    this.allowedPods = new Float64Array(capacity);
  }

  grow(capacity: number): void {
    const { isUnschedulable, isTainted, podCount, allowedPods } = this;
    this.isUnschedulable = new Uint8Array(capacity);
    this.isUnschedulable.set(isUnschedulable);
    this.isTainted = new Uint8Array(capacity);
    this.isTainted.set(isTainted);
    this.podCount = new Int32Array(capacity);
    this.podCount.set(podCount);
    this.allowedPods = new Float64Array(capacity);
    this.allowedPods.set(allowedPods);
  }

  setNode({ slot, isUnschedulable, taints, allowedPods }: LiveNode): void {
    this.isUnschedulable[slot] = Number(isUnschedulable);
    this.isTainted[slot] = Number(taints.length > 0);
    this.allowedPods[slot] = allowedPods;
  }

  setPods({ slot, pods }: LiveNode): void {
    this.podCount[slot] = pods.length;
  }
}

/** On how many nodes of the cluster each image is. */
export class ImageCounts {
  readonly #nodesWith = new Map<string, number>();

  nodesWith(name: string): number {
    return this.#nodesWith.get(name) ?? 0;
  }

  /** Counts the images of a node, unless it is not in the cluster. */
  add(node: LiveNode): void {
    this.#count(node, 1);
  }

  /** The reverse of `add`, while the node is as it was then. */
  remove(node: LiveNode): void {
    this.#count(node, -1);
  }

  #count({ isPresent, images }: LiveNode, by: 1 | -1): void {
    if (!isPresent) return;
    for (const name of images.keys()) {
      const count = this.nodesWith(name) + by;
      if (count === 0) this.#nodesWith.delete(name);
      else this.#nodesWith.set(name, count);
    }
  }
}
