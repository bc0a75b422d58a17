/** The least and the most of a size or a cost. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** Sizes and costs are capped here: 64 bits without a sign. */
export const mostCost: number = 2 ** 64;

export const unknownSize: CostRange = { min: 0, max: mostCost };
export const zero: CostRange = { min: 0, max: 0 };
export const one: CostRange = { min: 1, max: 1 };

export const exactly = (value: number): CostRange => ({ min: value, max: value });

export function plus(left: CostRange, right: CostRange): CostRange {
  return { min: capped(left.min + right.min), max: capped(left.max + right.max) };
}

export function times(left: CostRange, right: CostRange): CostRange {
  return { min: capped(left.min * right.min), max: capped(left.max * right.max) };
}

/** Multiplies by a factor and rounds up. */
export function scaled(range: CostRange, factor: number): CostRange {
  return { min: capped(Math.ceil(range.min * factor)), max: capped(Math.ceil(range.max * factor)) };
}

/** Returns the range that covers both. */
export function either(left: CostRange, right: CostRange): CostRange {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}

export function sumOf(ranges: readonly CostRange[]): CostRange {
  return ranges.reduce(plus, zero);
}

function capped(value: number): number {
  return Math.min(value, mostCost);
}
