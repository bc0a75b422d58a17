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

/** Nodes with the Pods on them, and the NodeInfo of each, computed when it is read. */
export class NodeCache {
  readonly #nodes = new Map<string, CachedNode>();
  readonly #tree = new NodeTree();
  /** Names of nodes whose info in the listing is out of date. */
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

  /** All nodes in the order in which they are examined. The array is the same one until the order changes. */
  list(): readonly NodeInfo[] {
    const order = this.#tree.order();
    if (this.#listing?.order !== order) this.#listing = this.#listAll(order);
    const { indexes, infos } = this.#listing;
    for (const name of this.#stale) {
      const index = indexes.get(name);
      const [fresh] = this.#infoOf(name);
      if (index !== undefined && fresh !== undefined) infos[index] = fresh;
    }
    this.#stale.clear();
    return infos;
  }

  /** The number of nodes that have an image. */
  nodesWithImage(name: string): number {
    this.#nodesWithImage ??= imageCounter(this.list());
    return this.#nodesWithImage(name);
  }

  #listAll(order: readonly string[]): Listing {
    const before = new Map(this.#listing?.infos.map((each) => [each.name, each]));
    const infos = order.flatMap((name) => {
      const known = this.#stale.has(name) ? undefined : before.get(name);
      return known ?? this.#infoOf(name);
    });
    this.#stale.clear();
    return { order, infos, indexes: new Map(order.map((name, index) => [name, index])) };
  }

  /** Empty when the node itself is absent. */
  #infoOf(name: string): readonly NodeInfo[] {
    const { node, pods } = this.#nodes.get(name) ?? {};
    return node === undefined ? [] : [nodeInfo(node, [...(pods?.values() ?? [])])];
  }
}
