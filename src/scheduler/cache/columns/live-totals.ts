import { type DomainTotals, missingKey, noNode } from "../../../decisions/placement/view/cluster-columns.ts";
import type { LiveCounter } from "./live-counter.ts";
import type { LiveTopology } from "./live-topology.ts";

/** The totals of a counter by a topology key, kept up to date Pod by Pod and node by node. */
export class LiveTotals implements DomainTotals {
  perDomain = new Int32Array(16);
  readonly #counter: LiveCounter;
  readonly #column: LiveTopology;
  /** How many domains with a node have a total, by total. */
  readonly #histogram: number[] = [];
  #minimum = 0;

  constructor(counter: LiveCounter, column: LiveTopology) {
    this.#counter = counter;
    this.#column = column;
    for (let domain = 0; domain < column.values.length; domain++) if (column.hasNode(domain)) this.appear();
    for (const [slot, domain] of column.domainOf.entries()) {
      const count = counter.perNode[slot] ?? 0;
      if (domain !== noNode && count !== 0) this.move(domain, count);
    }
  }

  get minimum(): number {
    return this.#column.domains === 0 ? 0 : this.#minimum;
  }

  onNode(slot: number): number {
    return this.#counter.perNode[slot] ?? 0;
  }

  /** A domain has got its first node, and no Pods yet. */
  appear(): void {
    this.#histogram[0] = (this.#histogram[0] ?? 0) + 1;
    this.#minimum = 0;
  }

  /** A domain has lost its last node, and with it the last Pods. */
  vanish(): void {
    this.#histogram[0] = (this.#histogram[0] ?? 0) - 1;
    this.#raiseMinimum();
  }

  /** Adds to the total of a domain; nodes that lack the key are in none. */
  move(domain: number, by: number): void {
    if (by === 0 || domain === missingKey) return;
    if (domain >= this.perDomain.length) this.#grow(domain);
    const before = this.perDomain[domain] ?? 0;
    const after = before + by;
    this.perDomain[domain] = after;
    this.#histogram[before] = (this.#histogram[before] ?? 0) - 1;
    this.#histogram[after] = (this.#histogram[after] ?? 0) + 1;
    if (after < this.#minimum) this.#minimum = after;
    else this.#raiseMinimum();
  }

  /** Moves on to the next total that a domain has. One Pod moves it by one at most. */
  #raiseMinimum(): void {
    if (this.#column.domains === 0) return;
    while (this.#minimum < this.#histogram.length && (this.#histogram[this.#minimum] ?? 0) === 0)
      this.#minimum++;
  }

  #grow(domain: number): void {
    const grown = new Int32Array(Math.max(domain + 1, 2 * this.perDomain.length));
    grown.set(this.perDomain);
    this.perDomain = grown;
  }
}
