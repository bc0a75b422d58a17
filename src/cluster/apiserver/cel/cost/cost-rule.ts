import type { CelValue } from "../values/cel-value.ts";
import { sizeOf, traversalOf } from "../values/value-size.ts";
import { type CostRange, exactly, one, plus, scaled, times, unknownSize } from "./cost-range.ts";

/** What is known of an argument before evaluation. */
export interface EstimatedArgument {
  /** Its size; absent if nothing is known. */
  readonly size: CostRange | undefined;
  /** Its value, if it is a literal. */
  readonly literal?: CelValue | undefined;
  /** The size of its items if it is a list; `isText` if they are compared by their characters. */
  readonly items?: { readonly size: CostRange; readonly isText: boolean } | undefined;
}

/** The cost of a call without that of its arguments, and the size of its result if that is known. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: CostRange | undefined;
}

/** What a call costs: before evaluation, and when it has happened. */
export interface CostRule {
  readonly estimate: (args: readonly EstimatedArgument[]) => CallEstimate;
  readonly actual: (args: readonly CelValue[], result: CelValue) => number;
}

/** The cost of reading a character. */
export const perCharacter = 0.1;
/** The cost of a character of a regular expression. */
export const perPatternCharacter = 0.25;
const listBase = 10;

const sizeIn = (args: readonly EstimatedArgument[], index: number): CostRange =>
  args[index]?.size ?? unknownSize;
const actualIn = (args: readonly CelValue[], index: number): number => sizeOf(args[index] ?? null);

/** A call that reads a text or bytes once, or as often as the factor says. */
export function reading(index: number, options: { factor?: number; keepsSize?: boolean } = {}): CostRule {
  const { factor = 1, keepsSize = false } = options;
  return {
    estimate: (args) => {
      const size = sizeIn(args, index);
      return { cost: scaled(size, factor * perCharacter), ...(keepsSize && { size }) };
    },
    actual: (args) => Math.ceil(actualIn(args, index) * factor * perCharacter),
  };
}

/** A call that reads a text or bytes once, and makes another one out of it. */
export function converting(sizeOfResult: (size: CostRange) => CostRange): CostRule {
  return {
    estimate: (args) => {
      const size = sizeIn(args, 0);
      return { cost: scaled(size, perCharacter), size: sizeOfResult(size) };
    },
    actual: reading(0).actual,
  };
}

/** A comparison that reads two values up to the length of the shorter one. */
export const comparing: CostRule = {
  estimate: (args) => {
    const most = Math.min(sizeIn(args, 0).max, sizeIn(args, 1).max);
    return { cost: scaled({ min: most > 0 ? 1 : 0, max: most }, perCharacter) };
  },
  actual: (args) => Math.ceil(Math.min(actualIn(args, 0), actualIn(args, 1)) * perCharacter),
};

/** The concatenation of texts or bytes. */
export const concatenating: CostRule = {
  estimate: (args) => {
    const size = plus(sizeIn(args, 0), sizeIn(args, 1));
    return { cost: scaled(size, perCharacter), size };
  },
  actual: (args) => Math.ceil((actualIn(args, 0) + actualIn(args, 1)) * perCharacter),
};

/** The concatenation of lists, which copies nothing. */
export const joiningLists: CostRule = {
  estimate: (args) => ({ cost: one, size: plus(sizeIn(args, 0), sizeIn(args, 1)) }),
  actual: () => 1,
};

/** The search for a value in a list. */
export const searchingList: CostRule = {
  estimate: (args) => ({ cost: sizeIn(args, 1) }),
  actual: (args) => actualIn(args, 1),
};

/** The search for a text in another one. */
export const searchingText: CostRule = {
  estimate: (args) => ({
    cost: times(scaled(sizeIn(args, 0), perCharacter), scaled(sizeIn(args, 1), perCharacter)),
  }),
  actual: (args) => Math.ceil(actualIn(args, 0) * perCharacter) * Math.ceil(actualIn(args, 1) * perCharacter),
};

/** The match of a regular expression. */
export function matching(options: { isResultSized: boolean }): CostRule {
  return {
    estimate: (args) => {
      const read = scaled(plus(sizeIn(args, 0), one), perCharacter);
      const cost = times(read, scaled(sizeIn(args, 1), perPatternCharacter));
      return { cost, ...(options.isResultSized && { size: { min: 0, max: sizeIn(args, 0).max } }) };
    },
    actual: (args) =>
      Math.ceil((1 + actualIn(args, 0)) * perCharacter) * Math.ceil(actualIn(args, 1) * perPatternCharacter),
  };
}

/** An operation that looks at every item of a list, or at every character of a text. */
export const visitingItems: CostRule = {
  estimate: (args) => {
    const [first] = args;
    const size = sizeIn(args, 0);
    if (first?.items === undefined) return { cost: scaled(size, perCharacter) };
    const perItem = first.items.isText ? plus(one, scaled(first.items.size, perCharacter)) : one;
    return { cost: times(size, perItem) };
  },
  actual: (args) => traversalOf(args[0] ?? null),
};

/** An operation that makes a list, at a cost for each of its items. */
export function makingList(sizeOfResult: (args: readonly EstimatedArgument[]) => CostRange): CostRule {
  return {
    estimate: (args) => {
      const size = sizeOfResult(args);
      return { cost: plus(size, exactly(1 + listBase)), size };
    },
    actual: (_args, result) => sizeOf(result) + 1 + listBase,
  };
}

/** An operation that compares every item of a list with every other one. */
export function comparingItems(options: { isText: boolean; list?: number }): CostRule {
  const { isText, list = 0 } = options;
  const factor = isText ? 2 + perCharacter : 2;
  return {
    estimate: (args) => {
      const size = times(sizeIn(args, list), sizeIn(args, list));
      return { cost: plus(scaled(size, factor), exactly(1 + listBase)), size };
    },
    actual: (args) => Math.floor(actualIn(args, list) ** 2 * factor) + 1 + listBase,
  };
}

/** An operation that compares every item of one list with every item of another one. */
export function comparingLists(factor: number): CostRule {
  return {
    estimate: (args) => ({
      cost: plus(scaled(times(sizeIn(args, 0), sizeIn(args, 1)), factor), one),
    }),
    actual: (args) => 1 + actualIn(args, 0) * actualIn(args, 1) * factor,
  };
}
