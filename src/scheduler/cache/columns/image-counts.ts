import type { LiveNode } from "./live-node.ts";

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
