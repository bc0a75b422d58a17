import type { Node } from "../../../api/generated/core-v1.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { LabelSelection } from "../../../api/labels/label-selector.ts";
import type { NodeInfo } from "../../../decisions/placement/objects/node-info.ts";
import { hasAffinity, isCountedAlike, type PodInfo } from "../../../decisions/placement/objects/pod-info.ts";
import type { ClusterColumns, ResourceColumn } from "../../../decisions/placement/view/cluster-columns.ts";
import type { AssumedChange } from "../../../decisions/placement/view/cluster-view.ts";
import {
  type PlacementTemplate,
  PlacementTemplates,
} from "../../../decisions/placement/view/placement-template.ts";
import { LabelClasses } from "./label-classes.ts";
import { LiveCounter } from "./live-counter.ts";
import { LiveNode } from "./live-node.ts";
import { ImageCounts, LiveNodeColumns } from "./live-node-columns.ts";
import type { LiveTopology } from "./live-topology.ts";
import { ResourceColumns } from "./resource-columns.ts";
import { TopologyColumns } from "./topology-columns.ts";

const initialCapacity = 16;

/** The columns of a cluster that changes: every change of a Pod or node updates the numbers that it concerns. */
export class LiveColumns implements ClusterColumns {
  nodesVersion = 0;
  nodeVersions = new Uint32Array(initialCapacity).fill(1);
  readonly nodesWithAffinity = new Set<NodeInfo>();
  readonly #templates = new PlacementTemplates();
  readonly nodes = new LiveNodeColumns(initialCapacity);
  readonly #classes = new LabelClasses();
  readonly #images = new ImageCounts();
  readonly #nodes: (LiveNode | undefined)[] = [];
  readonly #free: number[] = [];
  #capacity = initialCapacity;
  readonly #resources = new ResourceColumns(this.#capacity);
  readonly #topology = new TopologyColumns(this.#capacity);

  /** Adds a node of which nothing is known yet; it is not part of the cluster before `setNode`. */
  addNode(): LiveNode {
    const slot = this.#free.pop() ?? this.#nodes.length;
    if (slot >= this.#capacity) this.#grow(2 * this.#capacity);
    const node = new LiveNode(slot, this.#resources);
    this.#nodes[slot] = node;
    return node;
  }

  /** Updates a node to what the API server says. */
  setNode(live: LiveNode, node: Node): void {
    const { isPresent, labels, taints } = live;
    this.#images.remove(live);
    live.describe(node);
    this.#images.add(live);
    this.#resources.setAllocatable(live.slot, live.allocatable);
    this.nodes.setNode(live);
    this.#changed(live.slot);
    if (isPresent && deepEqual(labels, live.labels) && deepEqual(taints, live.taints)) return;
    this.nodesVersion++;
    this.#topology.setNode(live);
    this.#indexAffinity(live);
  }

  /** Takes a node out of the cluster; its Pods stay until they are removed. */
  removeNode(live: LiveNode): void {
    if (!live.isPresent) return;
    this.#images.remove(live);
    live.isPresent = false;
    this.nodesVersion++;
    this.#topology.removeNode(live);
    this.#indexAffinity(live);
  }

  /** Gives up the slot of a node that is not in the cluster and has no Pods. */
  release({ slot }: LiveNode): void {
    this.#changed(slot);
    this.#resources.setAllocatable(slot, new Map());
    this.#nodes[slot] = undefined;
    this.#free.push(slot);
  }

  /** Adds a Pod to a node that was added before. */
  addPod({ slot }: NodeInfo, pod: PodInfo): void {
    const live = this.#nodes[slot];
    if (live === undefined) return;
    const labelClass = pod.isTerminating ? undefined : this.#classes.enter(pod.namespace, pod.labels);
    live.add(pod, labelClass);
    this.nodes.setPods(live);
    this.#changed(slot);
    this.#resources.addPod(live.slot, pod);
    for (const counter of labelClass?.counters ?? []) counter.add(live.slot, 1);
    if (hasAffinity(pod)) this.#indexAffinity(live);
  }

  /** Removes a Pod; false when it is not on the node. */
  removePod({ slot }: NodeInfo, pod: PodInfo): boolean {
    const live = this.#nodes[slot];
    const index = live?.pods.indexOf(pod) ?? -1;
    if (live === undefined || index < 0) return false;
    const labelClass = live.removeAt(index);
    this.nodes.setPods(live);
    this.#changed(slot);
    this.#resources.removePod(live.slot, pod, live.pods);
    for (const counter of labelClass?.counters ?? []) counter.add(live.slot, -1);
    if (labelClass !== undefined) this.#classes.leave(pod.namespace, labelClass);
    if (hasAffinity(pod)) this.#indexAffinity(live);
    return true;
  }

  /** Puts a Pod in the place of another state of the same Pod, if nothing that is counted or summed up differs. */
  replacePod({ slot }: NodeInfo, before: PodInfo, after: PodInfo): boolean {
    return isCountedAlike(before, after) && this.#nodes[slot]?.replace(before, after) === true;
  }

  get capacity(): number {
    return this.#capacity;
  }

  resource(name: string): ResourceColumn {
    return this.#resources.column(name);
  }

  topology(key: string): LiveTopology {
    const known = this.#topology.get(key);
    if (known !== undefined) return known;
    if (this.#topology.isFull) this.#forgetTopology();
    return this.#topology.add(key, this.present());
  }

  counter(namespace: string, selection: LabelSelection): LiveCounter {
    const known = this.#classes.find(namespace, selection);
    if (known !== undefined) return known;
    const topologyOf = (key: string): LiveTopology => this.topology(key);
    const counter = new LiveCounter(selection, { capacity: this.#capacity, topologyOf });
    this.#classes.register(namespace, counter);
    for (const live of this.#nodes) {
      for (const each of live?.classes ?? []) {
        if (each?.counters.includes(counter) === true) counter.add(live?.slot ?? 0, 1);
      }
    }
    return counter;
  }

  templateOf(pod: PodInfo): PlacementTemplate {
    return this.#templates.of(pod, this.#capacity);
  }

  nodesWithImage(name: string): number {
    return this.#images.nodesWith(name);
  }

  /** The nodes of the cluster. */
  *present(): Generator<LiveNode> {
    for (const live of this.#nodes) if (live?.isPresent === true) yield live;
  }

  /** Those nodes, and nodes that only Pods name. */
  *all(): Generator<LiveNode> {
    for (const live of this.#nodes) if (live !== undefined) yield live;
  }

  /** The topology keys that were asked for. */
  topologies(): Iterable<LiveTopology> {
    return this.#topology;
  }

  /** The counters that were asked for, with their namespaces. */
  counters(): Iterable<readonly [namespace: string, counter: LiveCounter]> {
    return this.#classes.counters();
  }

  /**
   * Asks a question as if a node were without some of its Pods, or had others. Afterwards the node has the Pods it had
   * before, whichever the question itself has added and removed.
   */
  dryRun<T>({ slot }: NodeInfo, change: AssumedChange, ask: () => T): T {
    const live = this.#nodes[slot];
    if (live === undefined) return ask();
    const before = [...live.pods];
    try {
      // Iterates over a copy: the list may be that of the node itself.
      for (const pod of (change.without ?? []).slice()) this.removePod(live, pod);
      for (const pod of change.with ?? []) if (!live.pods.includes(pod)) this.addPod(live, pod);
      return ask();
    } finally {
      this.#restore(live, before);
    }
  }

  #restore(live: LiveNode, before: readonly PodInfo[]): void {
    const wanted = new Set(before);
    for (const pod of live.pods.filter((each) => !wanted.has(each))) this.removePod(live, pod);
    const left = new Set(live.pods);
    for (const pod of before) if (!left.has(pod)) this.addPod(live, pod);
    live.reorder(before);
  }

  #indexAffinity(live: LiveNode): void {
    if (live.isPresent && live.podsWithAffinity.length > 0) this.nodesWithAffinity.add(live);
    else this.nodesWithAffinity.delete(live);
  }

  #forgetTopology(): void {
    for (const [, counter] of this.#classes.counters()) counter.release();
    this.#topology.clear();
  }

  #changed(slot: number): void {
    this.nodeVersions[slot] = nextVersion(this.nodeVersions[slot]);
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    this.nodeVersions = grown(this.nodeVersions, capacity);
    this.#resources.grow(capacity);
    this.nodes.grow(capacity);
    this.#topology.grow(capacity);
    for (const [, counter] of this.#classes.counters()) counter.grow(capacity);
  }
}

/** Versions wrap around after four billion changes, and leave out 0, which stands for none. */
function nextVersion(version = 0): number {
  return version === 0xffff_ffff ? 1 : version + 1;
}

function grown(versions: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity).fill(1);
  larger.set(versions);
  return larger;
}
