import type { Placement } from "../../decisions/placement/place-pod.ts";
import type { Rejection } from "../../decisions/placement/plugin.ts";
import type { ScoreSheet } from "../../decisions/placement/score-nodes.ts";

/** The verdicts and scores of all nodes that were examined: a table of thousands of numbers, in as few bytes as will do. */
export interface PackedNodes {
  readonly feasible: readonly string[];
  readonly refused: readonly string[];
  /** For each refused node, the index of its rejection: most nodes are rejected for few reasons. */
  readonly reasons: Numbers;
  readonly rejections: readonly Rejection[];
  readonly totals: Numbers;
  readonly columns: readonly PackedColumn[];
}

interface PackedColumn {
  readonly plugin: string;
  readonly weight: number;
  readonly raw: Numbers;
  readonly normalized: Numbers;
}

type Numbers = Uint8Array | Int32Array | Float64Array;

/** Packs the nodes of a placement. */
export function packNodes({ feasible, refused, scored }: Placement): PackedNodes {
  const indexes = new Map<Rejection, number>();
  const reasons = refused.map(({ rejection }) => {
    const index = indexes.get(rejection) ?? indexes.size;
    indexes.set(rejection, index);
    return index;
  });
  return {
    feasible,
    refused: refused.map(({ node }) => node),
    reasons: pack(reasons),
    rejections: [...indexes.keys()],
    totals: pack(scored.totals),
    columns: scored.columns.map(({ plugin, weight, raw, normalized }) => {
      const packed = pack(raw);
      return { plugin, weight, raw: packed, normalized: normalized === raw ? packed : pack(normalized) };
    }),
  };
}

/** The nodes as a placement has them. */
export function unpackNodes(packed: PackedNodes): Pick<Placement, "feasible" | "refused" | "scored"> {
  const { feasible, refused, reasons, rejections, totals, columns } = packed;
  const scored: ScoreSheet = {
    nodes: totals.length === 0 ? [] : feasible,
    totals: [...totals],
    columns: columns.map(({ raw, normalized, ...column }) => ({
      ...column,
      raw: [...raw],
      normalized: [...normalized],
    })),
  };
  return {
    feasible,
    refused: refused.flatMap((node, index) => {
      const rejection = rejections[reasons[index] ?? -1];
      return rejection === undefined ? [] : [{ node, rejection }];
    }),
    scored,
  };
}

/** The smallest array that has room for all numbers. */
function pack(numbers: readonly number[]): Numbers {
  let isByte = true;
  let isInteger = true;
  for (let index = 0; index < numbers.length && isInteger; index++) {
    const number = numbers[index] ?? 0;
    isByte &&= number === (number & 0xff);
    isInteger = number === (number | 0);
  }
  isByte &&= isInteger;
  return isByte ? new Uint8Array(numbers) : isInteger ? new Int32Array(numbers) : new Float64Array(numbers);
}
