import type { Placement, PlacementOutcome } from "../../decisions/placement/place-pod.ts";
import { mapInto } from "../../decisions/placement/placement-workspace.ts";
import { RefusedNodeList } from "../../decisions/placement/refused-nodes.ts";
import { noScores, type ScoreSheet } from "../../decisions/placement/score-nodes.ts";

type Elements = Uint8Array | Int32Array | Float64Array;

/** A list of numbers in few bytes, in memory that is used again when the list is replaced. */
class PackedNumbers {
  #values: Elements = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Replaces the list. Elements grow when a number needs it and never shrink, since lists resemble each other. */
  replace(numbers: readonly number[]): void {
    this.#length = numbers.length;
    if (this.#values.length < numbers.length) this.#values = roomLike(this.#values, numbers.length);
    while (!write(this.#values, numbers)) this.#values = larger(this.#values);
  }

  toArray(): number[] {
    return Array.from(this.#values.subarray(0, this.#length));
  }
}

/** Writes numbers; returns false at the first one that does not fit into an element. */
function write(values: Elements, numbers: readonly number[]): boolean {
  const isExact = values instanceof Float64Array;
  // An element at a time: `set` takes ten times as long for an array that is not a typed one.
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    values[index] = number;
    if (values[index] !== number && !isExact) return false;
  }
  return true;
}

function roomLike(values: Elements, length: number): Elements {
  if (values instanceof Uint8Array) return new Uint8Array(length);
  return values instanceof Int32Array ? new Int32Array(length) : new Float64Array(length);
}

function larger(values: Elements): Elements {
  return values instanceof Uint8Array ? new Int32Array(values.length) : new Float64Array(values.length);
}

interface PackedColumn {
  plugin: string;
  weight: number;
  readonly raw: PackedNumbers;
  readonly normalized: PackedNumbers;
}

/**
 * The verdicts and scores of all nodes that a placement examined: a table of thousands of numbers. It is filled again
 * with another placement, so that recording allocates next to nothing.
 */
export class PackedNodes {
  readonly #feasible: string[] = [];
  readonly #refused = new RefusedNodeList();
  readonly #totals = new PackedNumbers();
  readonly #columns: PackedColumn[] = [];

  /** Replaces the table by that of a placement. */
  fill({ feasible, refused, scored }: Placement): void {
    mapInto(this.#feasible, feasible, (node) => node);
    this.#refused.replace(refused);
    this.#totals.replace(scored.totals);
    this.#columns.length = Math.min(this.#columns.length, scored.columns.length);
    let index = 0;
    for (const { plugin, weight, raw, normalized } of scored.columns) {
      const column = (this.#columns[index++] ??= newColumn());
      column.plugin = plugin;
      column.weight = weight;
      column.raw.replace(raw);
      // Nothing was normalized where the arrays are the same.
      column.normalized.replace(normalized === raw ? nothing : normalized);
    }
  }

  /** The nodes as the placement had them, and its outcome with the nodes that were as good as the chosen one. */
  unpack(outcome: PlacementOutcome): Pick<Placement, "feasible" | "refused" | "scored" | "outcome"> {
    const scored = this.#scored();
    return {
      feasible: [...this.#feasible],
      refused: this.#refused,
      scored,
      outcome: withTies(outcome, scored),
    };
  }

  #scored(): ScoreSheet {
    if (this.#totals.length === 0) return noScores;
    return {
      nodes: [...this.#feasible],
      totals: this.#totals.toArray(),
      columns: this.#columns.map(({ plugin, weight, raw, normalized }) => {
        const measures = raw.toArray();
        return {
          plugin,
          weight,
          raw: measures,
          normalized: normalized.length === 0 ? measures : normalized.toArray(),
        };
      }),
    };
  }
}

const nothing: readonly number[] = [];

function newColumn(): PackedColumn {
  return { plugin: "", weight: 0, raw: new PackedNumbers(), normalized: new PackedNumbers() };
}

function withTies(outcome: PlacementOutcome, { nodes, totals }: ScoreSheet): PlacementOutcome {
  if (outcome.kind !== "placed" || outcome.by.kind !== "score") return outcome;
  const { total } = outcome.by;
  return { ...outcome, by: { ...outcome.by, best: nodes.filter((_, index) => totals[index] === total) } };
}
