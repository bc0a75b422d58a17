import type { LiveNode } from "./live-node.ts";
import { labelOf } from "../../../decisions/placement/objects/reading.ts";
import { LiveTopology } from "./live-topology.ts";

/** Limits the columns: Pods may name any number of topology keys. Beyond the limit all columns are dropped and made anew. */
const maxTopologyKeys = 200;

/** The domains of all nodes, a column per topology key that was asked for. */
export class TopologyColumns implements Iterable<LiveTopology> {
  readonly #columns = new Map<string, LiveTopology>();
  #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get isFull(): boolean {
    return this.#columns.size >= maxTopologyKeys;
  }

  get(key: string): LiveTopology | undefined {
    return this.#columns.get(key);
  }

  /** Makes the column of a key; the nodes are those of the cluster. */
  add(key: string, nodes: Iterable<LiveNode>): LiveTopology {
    const column = new LiveTopology(key, this.#capacity);
    for (const { slot, labels } of nodes) column.put(slot, labelOf(labels, key));
    this.#columns.set(key, column);
    return column;
  }

  setNode({ slot, labels }: LiveNode): void {
    for (const column of this.#columns.values()) column.put(slot, labelOf(labels, column.key));
  }

  removeNode({ slot }: LiveNode): void {
    for (const column of this.#columns.values()) column.remove(slot);
  }

  clear(): void {
    this.#columns.clear();
  }

  grow(capacity: number): void {
    this.#capacity = capacity;
    for (const column of this.#columns.values()) column.grow(capacity);
  }

  [Symbol.iterator](): Iterator<LiveTopology> {
    return this.#columns.values();
  }
}
