import type { Node } from "../../api/generated/core-v1.ts";
import { nodeInfo, type NodeInfo } from "../../decisions/placement/snapshot/node-info.ts";
import type { PodInfo } from "../../decisions/placement/snapshot/pod-info.ts";
import { imageCounter } from "../../decisions/placement/snapshot/snapshot.ts";
import { NodeTree } from "./node-tree.ts";

/** A node with its Pods. The node itself is absent when Pods are assigned to a node that is deleted or not seen yet. */
interface CachedNode {
  readonly node: Node | undefined;
  readonly pods: Map<string, PodInfo>;
}

/** The info of every node, in the order of the tree. */
interface Listing {
  readonly order: readonly string[];
  readonly indexes: ReadonlyMap<string, number>;
  readonly infos: NodeInfo[];
}

/** After so many nodes there may be a pause. */
const nodesPerStep = 50;

/** Nodes with the Pods on them, and the NodeInfo of each, computed when it is read. */
export class NodeCache {
  readonly #nodes = new Map<string, CachedNode>();
  readonly #tree = new NodeTree();
  readonly #infos = new Map<string, NodeInfo>();
  /** Names of nodes whose info is out of date. */
  readonly #stale = new Set<string>();
  #listing: Listing | undefined;
  #nodesWithImage: ((name: string) => number) | undefined;

  /** The number of nodes, without those that only Pods name. */
  get size(): number {
    return this.#tree.order().length;
  }

  setNode(node: Node): void {
    const { name } = node.metadata;
    this.#nodes.set(name, { node, pods: this.#nodes.get(name)?.pods ?? new Map() });
    this.#tree.put(node);
    this.#stale.add(name);
    this.#nodesWithImage = undefined;
  }

  removeNode(name: string): void {
    const known = this.#nodes.get(name);
    if (known === undefined) return;
    this.#tree.remove(name);
    this.#stale.add(name);
    this.#nodesWithImage = undefined;
    if (known.pods.size === 0) this.#nodes.delete(name);
    else this.#nodes.set(name, { node: undefined, pods: known.pods });
  }

  setPod(node: string, pod: PodInfo): void {
    const known = this.#nodes.get(node) ?? { node: undefined, pods: new Map<string, PodInfo>() };
    known.pods.set(pod.pod.metadata.uid, pod);
    this.#nodes.set(node, known);
    this.#stale.add(node);
  }

  removePod(node: string, uid: string): void {
    const known = this.#nodes.get(node);
    if (known === undefined) return;
    known.pods.delete(uid);
    this.#stale.add(node);
    if (known.node === undefined && known.pods.size === 0) this.#nodes.delete(node);
  }

  /** Computes what is out of date, with pauses: at first that is every node with every Pod. */
  *refresh(): Generator<void, void, void> {
    let count = 0;
    for (const name of this.#stale) {
      this.#refresh(name);
      if (++count % nodesPerStep === 0) yield;
    }
  }

  /** All nodes in the order in which they are examined. The array is the same one until the order changes. */
  list(): readonly NodeInfo[] {
    for (const name of this.#stale) this.#refresh(name);
    const order = this.#tree.order();
    if (this.#listing?.order !== order) this.#listing = this.#listAll(order);
    return this.#listing.infos;
  }

  /** The number of nodes that have an image. */
  nodesWithImage(name: string): number {
    this.#nodesWithImage ??= imageCounter(this.list());
    return this.#nodesWithImage(name);
  }

  #listAll(order: readonly string[]): Listing {
    const infos = order.flatMap((name) => this.#infos.get(name) ?? []);
    return { order, infos, indexes: new Map(order.map((name, index) => [name, index])) };
  }

  #refresh(name: string): void {
    this.#stale.delete(name);
    const { node, pods } = this.#nodes.get(name) ?? {};
    if (node === undefined) {
      this.#infos.delete(name);
      return;
    }
    const info = nodeInfo(node, [...(pods?.values() ?? [])]);
    this.#infos.set(name, info);
    const index = this.#listing?.indexes.get(name);
    if (index !== undefined && this.#listing !== undefined) this.#listing.infos[index] = info;
  }
}
