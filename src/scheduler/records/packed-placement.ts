import type { Placement, PlacementOutcome } from "../../decisions/placement/place-pod.ts";
import { mapInto } from "../../decisions/placement/placement-workspace.ts";
import { RefusedNodeList } from "../../decisions/placement/refused-nodes.ts";
import { noScores, type ScoreSheet } from "../../decisions/placement/score-nodes.ts";
import { PackedNumbers } from "./packed-numbers.ts";

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
