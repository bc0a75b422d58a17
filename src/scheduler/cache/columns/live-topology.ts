import {
  emptyValue,
  missingKey,
  noNode,
  type TopologyColumn,
} from "../../../decisions/placement/view/cluster-columns.ts";
import type { LiveTotals } from "./live-totals.ts";

/** The domain of every node by one topology key, kept up to date node by node. */
export class LiveTopology implements TopologyColumn {
  readonly key: string;
  domainOf: Int32Array;
  /** The number of a domain that has lost its last node may be given to another value. */
  readonly values: string[] = [""];
  nodesWithoutKey = 0;
  domains = 0;
  /** The totals that count by this column. */
  readonly totals = new Set<LiveTotals>();
  readonly #numbers = new Map<string, number>([["", emptyValue]]);
  readonly #nodesIn: number[] = [0];
  readonly #free: number[] = [];

  constructor(key: string, capacity: number) {
    this.key = key;
    this.domainOf = new Int32Array(capacity).fill(noNode);
  }

  grow(capacity: number): void {
    const grown = new Int32Array(capacity).fill(noNode);
    grown.set(this.domainOf);
    this.domainOf = grown;
  }

  hasNode(domain: number): boolean {
    return (this.#nodesIn[domain] ?? 0) > 0;
  }

  /** Puts the node of a slot into the domain of its label value. */
  put(slot: number, value: string | undefined): void {
    const domain = value === undefined ? missingKey : this.#numberOf(value);
    if (this.domainOf[slot] === domain) return;
    this.remove(slot);
    this.domainOf[slot] = domain;
    if (domain === missingKey) this.nodesWithoutKey++;
    else {
      const before = this.#nodesIn[domain] ?? 0;
      this.#nodesIn[domain] = before + 1;
      if (before === 0) this.#appear();
    }
    for (const each of this.totals) each.move(domain, each.onNode(slot));
  }

  /** Takes the node of a slot out of its domain. */
  remove(slot: number): void {
    const domain = this.domainOf[slot] ?? noNode;
    if (domain === noNode) return;
    for (const each of this.totals) each.move(domain, -each.onNode(slot));
    this.domainOf[slot] = noNode;
    if (domain === missingKey) this.nodesWithoutKey--;
    else {
      const left = (this.#nodesIn[domain] ?? 0) - 1;
      this.#nodesIn[domain] = left;
      if (left === 0) this.#vanish(domain);
    }
  }

  #numberOf(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.values.length;
    this.values[number] = value;
    this.#numbers.set(value, number);
    return number;
  }

  #appear(): void {
    this.domains++;
    for (const each of this.totals) each.appear();
  }

  #vanish(domain: number): void {
    this.domains--;
    for (const each of this.totals) each.vanish();
    if (domain === emptyValue) return;
    this.#numbers.delete(this.values[domain] ?? "");
    this.values[domain] = "";
    this.#free.push(domain);
  }
}
