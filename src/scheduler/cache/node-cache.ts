import type { Node } from "../../api/generated/core-v1.ts";
import { nodeInfo, type NodeInfo } from "../../decisions/placement/snapshot/node-info.ts";
import type { PodInfo } from "../../decisions/placement/snapshot/pod-info.ts";
import { imageCounter } from "../../decisions/placement/snapshot/snapshot.ts";
import { NodeTree } from "./node-tree.ts";

/** A node with its Pods. Without the node itself it is a ghost: gone, or not heard of yet, but with Pods. */
interface CachedNode {
  readonly node: Node | undefined;
  readonly pods: Map<string, PodInfo>;
}

/** The facts of every node, in the order of the tree. */
interface Listing {
  readonly order: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly facts: NodeInfo[];
}

/** Nodes and the Pods on them, and what placement has to know of both: worked out when it is asked for. */
export class NodeCache {
  readonly #nodes = new Map<string, CachedNode>();
  readonly #tree = new NodeTree();
  /** Names of nodes whose facts in the listing are out of date. */
  readonly #stale = new Set<string>();
  #listing: Listing | undefined;
  #nodesWithImage: ((name: string) => number) | undefined;

  /** How many nodes there are; ghosts do not count. */
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

  /** All nodes in the order in which they are looked at. The list is the same one every time, brought up to date. */
  list(): readonly NodeInfo[] {
    const order = this.#tree.order();
    if (this.#listing?.order !== order) this.#listing = this.#listAll(order);
    const { places, facts } = this.#listing;
    for (const name of this.#stale) {
      const place = places.get(name);
      const [fresh] = this.#factsOf(name);
      if (place !== undefined && fresh !== undefined) facts[place] = fresh;
    }
    this.#stale.clear();
    return facts;
  }

  /** How many nodes have an image. */
  nodesWithImage(name: string): number {
    this.#nodesWithImage ??= imageCounter(this.list());
    return this.#nodesWithImage(name);
  }

  #listAll(order: readonly string[]): Listing {
    const before = new Map(this.#listing?.facts.map((each) => [each.name, each]));
    const facts = order.flatMap((name) => {
      const known = this.#stale.has(name) ? undefined : before.get(name);
      return known ?? this.#factsOf(name);
    });
    this.#stale.clear();
    return { order, facts, places: new Map(order.map((name, place) => [name, place])) };
  }

  /** Of a ghost there are none. */
  #factsOf(name: string): readonly NodeInfo[] {
    const { node, pods } = this.#nodes.get(name) ?? {};
    return node === undefined ? [] : [nodeInfo(node, [...(pods?.values() ?? [])])];
  }
}
