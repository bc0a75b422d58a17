import { RefusedNodeList } from "./refused-nodes.ts";
import type { NodeInfo } from "./objects/node-info.ts";

/**
 * The arrays that a placement fills with nodes and scores. A scheduler places all Pods with one workspace, so that a large
 * cluster needs no new ones for every Pod: what a placement lists is then good until the next placement begins.
 */
export class PlacementWorkspace {
  readonly feasible: NodeInfo[] = [];
  readonly refused = new RefusedNodeList();
  readonly names: string[] = [];
  readonly totals: number[] = [];
  readonly best: string[] = [];
  readonly #scores: number[][] = [];
  #scoresInUse = 0;

  /** Releases the arrays of the last placement. */
  begin(): this {
    this.#scoresInUse = 0;
    this.refused.clear();
    return this;
  }

  /** Returns an array for the scores of one plugin; its content is left over from earlier placements. */
  scores(): number[] {
    return (this.#scores[this.#scoresInUse++] ??= []);
  }
}

/** Fills an array with the result for every item. Sets the length last: an array that is emptied first loses its memory. */
export function mapInto<T, R>(
  into: R[],
  items: readonly T[],
  map: (item: T, index: number) => R,
): readonly R[] {
  // By index: an iterator makes an object per item for as long as this is not compiled.
  for (let index = 0; index < items.length; index++) into[index] = map(items[index] as T, index);
  into.length = items.length;
  return into;
}
