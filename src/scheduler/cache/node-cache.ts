import type { Node } from "../../api/generated/core-v1.ts";
import { LiveColumns } from "./columns/live-columns.ts";
import type { LiveNode } from "./columns/live-node.ts";
import { type NodeInfo, zoneKeyOf } from "../../decisions/placement/objects/node-info.ts";
import type { PodInfo } from "../../decisions/placement/objects/pod-info.ts";

/** Names of nodes in the order in which they are examined: one of each zone in turn (upstream: nodeTree). */
class NodeTree {
  readonly #zones = new Map<string, Set<string>>();
  readonly #zoneOf = new Map<string, string>();
  #order: readonly string[] | undefined;

  /** Adds a node, or moves it to its new zone. */
  put({ metadata }: Node): void {
    const zone = zoneKeyOf(metadata.labels);
    if (this.#zoneOf.get(metadata.name) === zone) return;
    this.remove(metadata.name);
    this.#zoneOf.set(metadata.name, zone);
    const names = this.#zones.get(zone);
    if (names === undefined) this.#zones.set(zone, new Set([metadata.name]));
    else names.add(metadata.name);
    this.#order = undefined;
  }

  remove(name: string): void {
    const zone = this.#zoneOf.get(name);
    if (zone === undefined) return;
    this.#zoneOf.delete(name);
    const names = this.#zones.get(zone);
    names?.delete(name);
    if (names?.size === 0) this.#zones.delete(zone);
    this.#order = undefined;
  }

  /** The same array until a node is added, removed or changes its zone. */
  order(): readonly string[] {
    this.#order ??= interleave([...this.#zones.values()].map((names) => [...names]));
    return this.#order;
  }
}

function interleave(zones: readonly (readonly string[])[]): readonly string[] {
  const largest = zones.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: largest }, (_, index) => zones.flatMap((names) => names[index] ?? [])).flat();
}

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
