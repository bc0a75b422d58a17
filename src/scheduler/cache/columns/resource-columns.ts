import { type ResourceAmounts, basicResources } from "../../../decisions/placement/objects/amounts.ts";
import type { PodInfo } from "../../../decisions/placement/objects/pod-info.ts";
import type { ResourceColumn } from "../../../decisions/placement/view/cluster-columns.ts";

type Member = keyof ResourceColumn;

/** A column that can be written. */
type LiveResource = Record<Member, Float64Array>;

/** The resources of all nodes, a column per resource. */
export class ResourceColumns {
  readonly #columns = new Map<string, LiveResource>();
  #capacity: number;
  #sweepAt = 64;
  /** Of resources that no node has and no Pod on a node requests. */
  #nothing: LiveResource;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#nothing = emptyColumn(capacity);
    for (const name of basicResources) this.#columns.set(name, emptyColumn(capacity));
  }

  grow(capacity: number): void {
    this.#capacity = capacity;
    this.#nothing = emptyColumn(capacity);
    for (const [name, column] of this.#columns) {
      const grown = emptyColumn(capacity);
      for (const member of members) grown[member].set(column[member]);
      this.#columns.set(name, grown);
    }
  }

  column(name: string): LiveResource {
    return this.#columns.get(name) ?? this.#nothing;
  }

  setAllocatable(slot: number, amounts: ResourceAmounts): void {
    for (const name of amounts.keys()) this.#made(name);
    for (const [name, { allocatable }] of this.#columns) allocatable[slot] = amounts.get(name) ?? 0;
  }

  addPod(slot: number, { request, nonZeroRequest }: PodInfo): void {
    for (const [name, amount] of request) addTo(this.#made(name).requested, slot, amount);
    for (const [name, amount] of nonZeroRequest) addTo(this.#made(name).nonZeroRequested, slot, amount);
  }

  /** Subtracts a Pod that is not among the Pods left on the node any more. */
  removePod(slot: number, { request, nonZeroRequest }: PodInfo, left: readonly PodInfo[]): void {
    for (const [name, amount] of request)
      subtract(this.#made(name).requested, slot, { amount, sum: () => sumOf(left, name, "request") });
    for (const [name, amount] of nonZeroRequest)
      subtract(this.#made(name).nonZeroRequested, slot, {
        amount,
        sum: () => sumOf(left, name, "nonZeroRequest"),
      });
  }

  /** The amounts of a node that are not 0. */
  amountsAt(slot: number, member: Member): ResourceAmounts {
    const amounts = new Map<string, number>();
    for (const [name, column] of this.#columns) {
      const amount = column[member][slot] ?? 0;
      if (amount !== 0) amounts.set(name, amount);
    }
    return amounts;
  }

  #made(name: string): LiveResource {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    if (this.#columns.size >= this.#sweepAt) this.#sweep();
    const made = emptyColumn(this.#capacity);
    this.#columns.set(name, made);
    return made;
  }

  /** Drops the columns of resources that no node has and no Pod requests any more. */
  #sweep(): void {
    const isUnused = (column: LiveResource): boolean =>
      members.every((member) => column[member].every((amount) => amount === 0));
    for (const [name, column] of this.#columns) {
      if (!basicResources.includes(name) && isUnused(column)) this.#columns.delete(name);
    }
    this.#sweepAt = 2 * Math.max(this.#columns.size, 32);
  }
}

const members = ["allocatable", "requested", "nonZeroRequested"] as const satisfies readonly Member[];

function emptyColumn(capacity: number): LiveResource {
  return {
    allocatable: new Float64Array(capacity),
    requested: new Float64Array(capacity),
    nonZeroRequested: new Float64Array(capacity),
  };
}

function addTo(sums: Float64Array, slot: number, amount: number): void {
  sums[slot] = (sums[slot] ?? 0) + amount;
}

interface Subtraction {
  readonly amount: number;
  /** Adds up what is left. */
  readonly sum: () => number;
}

/** Whole numbers up to 2⁵³ are exact; beyond, subtracting would not undo adding, so that what is left is added up. */
function subtract(sums: Float64Array, slot: number, { amount, sum }: Subtraction): void {
  const before = sums[slot] ?? 0;
  sums[slot] = Math.abs(before) <= Number.MAX_SAFE_INTEGER ? before - amount : sum();
}

function sumOf(pods: readonly PodInfo[], name: string, of: "request" | "nonZeroRequest"): number {
  return pods.reduce((sum, pod) => sum + (pod[of].get(name) ?? 0), 0);
}
