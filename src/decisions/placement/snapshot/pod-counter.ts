import { type Labels, type LabelSelection, matchesLabels } from "../../../api/labels/label-selector.ts";
import { DomainTotals } from "./domain-totals.ts";
import { noNode, type TopologyColumn } from "./topology-column.ts";

/**
 * The number of Pods of a namespace that a selection matches, on every node, without terminating ones. A selection
 * without requirements counts none, although it would match any (scheduler.md 8.3).
 */
export class PodCounter {
  readonly selection: LabelSelection;
  /** By slot of the node. */
  perNode: Int32Array;
  /** When it was asked for last; the least recently used counters are given up. */
  usedAt = 0;
  readonly #totals = new Map<TopologyColumn, DomainTotals>();

  constructor(selection: LabelSelection, capacity: number) {
    this.selection = selection;
    this.perNode = new Int32Array(capacity);
  }

  grow(capacity: number): void {
    const grown = new Int32Array(capacity);
    grown.set(this.perNode);
    this.perNode = grown;
  }

  counts(labels: Labels): boolean {
    const { selection } = this;
    if (selection.selects === "nothing" || selection.requirements.length === 0) return false;
    return matchesLabels(selection, labels);
  }

  /** Adds to the count of the node of a slot, and to the totals of its domains. */
  add(slot: number, by: number): void {
    this.perNode[slot] = (this.perNode[slot] ?? 0) + by;
    for (const [column, totals] of this.#totals) {
      const domain = column.domainOf[slot] ?? noNode;
      if (domain !== noNode) totals.move(domain, by);
    }
  }

  /** The totals by a topology key, which are kept from now on. */
  totalsBy(column: TopologyColumn): DomainTotals {
    const known = this.#totals.get(column);
    if (known !== undefined) return known;
    const totals = new DomainTotals(this, column);
    this.#totals.set(column, totals);
    column.totals.add(totals);
    return totals;
  }

  /** The topology keys by which totals are kept. */
  columns(): Iterable<TopologyColumn> {
    return this.#totals.keys();
  }

  /** Gives up its totals. */
  release(): void {
    for (const [column, totals] of this.#totals) column.totals.delete(totals);
    this.#totals.clear();
  }
}
