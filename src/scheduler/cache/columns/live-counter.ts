import type { Labels, LabelSelection } from "../../../api/labels/label-selector.ts";
import { countsLabels } from "../../../decisions/placement/objects/pod-selection.ts";
import { noNode, type PodCounter } from "../../../decisions/placement/view/cluster-columns.ts";
import type { LiveTopology } from "./live-topology.ts";
import { LiveTotals } from "./live-totals.ts";

/** The topology column of a key, which is made where there is none yet. */
export type TopologyOf = (key: string) => LiveTopology;

/** The Pods of a namespace that a selection matches, counted as they come and go. */
export class LiveCounter implements PodCounter {
  readonly selection: LabelSelection;
  perNode: Int32Array;
  /** When it was asked for last; the least recently used counters are given up. */
  usedAt = 0;
  readonly #topologyOf: TopologyOf;
  readonly #totals = new Map<LiveTopology, LiveTotals>();

  constructor(
    selection: LabelSelection,
    { capacity, topologyOf }: { readonly capacity: number; readonly topologyOf: TopologyOf },
  ) {
    this.selection = selection;
    this.perNode = new Int32Array(capacity);
    this.#topologyOf = topologyOf;
  }

  grow(capacity: number): void {
    const grown = new Int32Array(capacity);
    grown.set(this.perNode);
    this.perNode = grown;
  }

  counts(labels: Labels): boolean {
    return countsLabels(this.selection, labels);
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
  totalsBy(topologyKey: string): LiveTotals {
    const column = this.#topologyOf(topologyKey);
    const known = this.#totals.get(column);
    if (known !== undefined) return known;
    const totals = new LiveTotals(this, column);
    this.#totals.set(column, totals);
    column.totals.add(totals);
    return totals;
  }

  /** The topology keys by which totals are kept. */
  columns(): Iterable<LiveTopology> {
    return this.#totals.keys();
  }

  /** Gives up its totals. */
  release(): void {
    for (const [column, totals] of this.#totals) column.totals.delete(totals);
    this.#totals.clear();
  }
}
