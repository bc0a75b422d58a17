import type { ClusterColumns } from "./cluster-columns.ts";
import type { NodeInfo } from "../objects/node-info.ts";

/**
 * Keeps a number per node, which is computed again when the node or its Pods have changed: in a large cluster few nodes
 * change from one placement to the next.
 */
export class NodeMemo {
  readonly #columns: ClusterColumns;
  readonly #compute: (slot: number) => number;
  // Not a typed array: V8 allocates every double that is read from one in a call it does not inline.
  #values: number[] = [];
  #versions = new Uint32Array(0);

  constructor(columns: ClusterColumns, compute: (slot: number) => number) {
    this.#columns = columns;
    this.#compute = compute;
  }

  /** Returns the numbers by node. The function is good for one placement. */
  read(): (node: NodeInfo) => number {
    const { nodeVersions: current, capacity } = this.#columns;
    if (this.#values.length < capacity) {
      this.#values = Array.from({ length: capacity }, () => 0);
      this.#versions = new Uint32Array(capacity);
    }
    const [values, versions, compute] = [this.#values, this.#versions, this.#compute];
    return ({ slot }) => {
      const version = current[slot] ?? 0;
      if (versions[slot] !== version) {
        const found = compute(slot);
        // Stores whole numbers as small integers: V8 may hold the computed number as a double, which is an object here.
        values[slot] = Number.isInteger(found) ? Math.trunc(found) : found;
        versions[slot] = version;
      }
      return values[slot] ?? 0;
    };
  }
}
