import type { Node } from "../../api/generated/core-v1.ts";
import { LiveColumns } from "./columns/live-columns.ts";
import type { LiveNode } from "./columns/live-node.ts";
import type { NodeInfo } from "../../decisions/placement/objects/node-info.ts";
import type { PodInfo } from "../../decisions/placement/objects/pod-info.ts";
import { NodeTree } from "./node-tree.ts";

/** All nodes in the order of the tree. */
interface Listing {
  readonly order: readonly string[];
  readonly nodes: readonly NodeInfo[];
}

/** Nodes with the Pods on them, by name. */
export class NodeCache {
  readonly columns = new LiveColumns();
  /** Also nodes that are deleted or not seen yet, as long as Pods are assigned to them. */
  readonly #nodes = new Map<string, LiveNode>();
  readonly #tree = new NodeTree();
  #listing: Listing | undefined;

  /** The number of nodes, without those that only Pods name. */
  get size(): number {
    return this.#tree.order().length;
  }

  setNode(node: Node): void {
    this.columns.setNode(this.#nodeOf(node.metadata.name), node);
    this.#tree.put(node);
  }

  removeNode(name: string): void {
    const live = this.#nodes.get(name);
    if (live === undefined) return;
    this.#tree.remove(name);
    this.columns.removeNode(live);
    this.#releaseIfUnused(name, live);
  }

  addPod(node: string, pod: PodInfo): void {
    this.columns.addPod(this.#nodeOf(node), pod);
  }

  /** Puts a Pod in the place of another state of the same Pod, if that makes no difference to placement. */
  replacePod(node: string, before: PodInfo, after: PodInfo): boolean {
    const live = this.#nodes.get(node);
    return live !== undefined && this.columns.replacePod(live, before, after);
  }

  removePod(node: string, pod: PodInfo): void {
    const live = this.#nodes.get(node);
    if (live === undefined) return;
    this.columns.removePod(live, pod);
    this.#releaseIfUnused(node, live);
  }

  /** All nodes in the order in which they are examined. The array is the same one until the order changes. */
  list(): readonly NodeInfo[] {
    const order = this.#tree.order();
    if (this.#listing?.order !== order)
      this.#listing = { order, nodes: order.flatMap((name) => this.#nodes.get(name) ?? []) };
    return this.#listing.nodes;
  }

  #nodeOf(name: string): LiveNode {
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const added = this.columns.addNode();
    this.#nodes.set(name, added);
    return added;
  }

  #releaseIfUnused(name: string, live: LiveNode): void {
    if (live.isPresent || live.pods.length > 0) return;
    this.#nodes.delete(name);
    this.columns.release(live);
  }
}
