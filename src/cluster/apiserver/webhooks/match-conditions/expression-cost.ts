import type { ASTNode } from "@marcbachmann/cel-js";
import { childrenOf, loopOf } from "./supported-expression.ts";

/** The sizes of the values that an expression reads. */
export interface ValueSizes {
  /** The number of all values in all inputs. */
  readonly values: number;
  /** The members of the largest list or map. */
  readonly longestList: number;
  /** The characters of the longest text. */
  readonly longestText: number;
}

/** How many compared characters cost as much as one operator. */
const charactersPerStep = 64;

/**
 * Returns the maximum number of steps of an expression with values of these sizes. The worst case has to be known
 * before evaluation, because the library cannot be interrupted, and nested loops could block the event loop for years.
 */
export function expressionCost(node: ASTNode): (sizes: ValueSizes) => number {
  // Every + can at most double a text or a list.
  const growth = 2 ** count(node, ({ op }) => op === "+");
  const literals = [node, ...descendants(node)].filter(({ op }) => op === "list");
  const longestLiteral = Math.max(0, ...literals.map((list) => childrenOf(list).length));
  return (sizes) => {
    const longestList = growth * Math.max(sizes.longestList, longestLiteral);
    const text = 1 + (growth * sizes.longestText) / charactersPerStep;
    return costOf(node, { ...sizes, values: growth * sizes.values, longestList, text });
  };
}

interface Bounds extends ValueSizes {
  /** The cost of reading the longest text. */
  readonly text: number;
}

function costOf(node: ASTNode, bounds: Bounds): number {
  const loop = loopOf(node);
  if (loop !== undefined)
    return 1 + costOf(loop.over, bounds) + bounds.longestList * (2 + costOf(loop.predicate, bounds));
  return ownCost(node, bounds) + childrenOf(node).reduce((sum, child) => sum + costOf(child, bounds), 0);
}

/** Operators that read one text or two. */
const readsText: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "call", "rcall"]);

function ownCost(node: ASTNode, { values, longestList, text }: Bounds): number {
  const [left, right] = childrenOf(node);
  if (node.op === "==" || node.op === "!=") return isScalar(left) || isScalar(right) ? text : values * text;
  if (node.op === "in") return isScalar(left) ? longestList * text : values * text;
  if (node.op === "+") return text + longestList;
  return readsText.has(node.op) ? text : 1;
}

function isScalar(node: ASTNode | undefined): boolean {
  return node?.op === "value";
}

function descendants(node: ASTNode): readonly ASTNode[] {
  return childrenOf(node).flatMap((child) => [child, ...descendants(child)]);
}

function count(node: ASTNode, is: (node: ASTNode) => boolean): number {
  return [node, ...descendants(node)].filter(is).length;
}
