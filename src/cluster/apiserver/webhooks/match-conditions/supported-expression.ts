import type { ASTNode } from "@marcbachmann/cel-js";

/** Operators that match conditions may use, as the parser names them. */
const operators: ReadonlySet<string> = new Set([
  "value",
  "id",
  ".",
  "[]",
  "list",
  "?:",
  "||",
  "&&",
  "!_",
  "-_",
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "+",
  "-",
  "*",
  "/",
  "%",
]);
const functions: ReadonlySet<string> = new Set(["has", "size"]);
const methods: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains", "size", "exists", "all"]);
const variables: ReadonlySet<string> = new Set(["object", "oldObject", "request"]);

/** The supported part of CEL, as messages describe it. */
const supported =
  "has(), size(), in, comparisons, arithmetic, !, &&, ||, ?:, indexing, startsWith(), endsWith(), contains(), exists() and all() over object, oldObject and request";

/** Returns a sentence about the first unsupported part of an expression; `undefined` when all of it is supported. */
export function unsupportedPart(node: ASTNode): string | undefined {
  const what = firstUnsupported(node, variables);
  return what === undefined
    ? undefined
    : `${what} is not supported in match conditions; supported are ${supported}`;
}

function firstUnsupported(node: ASTNode, known: ReadonlySet<string>): string | undefined {
  const own = unsupportedItself(node, known);
  if (own !== undefined) return own;
  const { inside, parts } = scopeOf(node, known);
  for (const part of childrenOf(node)) {
    const found = firstUnsupported(part, parts.includes(part) ? inside : known);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unsupportedItself(node: ASTNode, known: ReadonlySet<string>): string | undefined {
  if (node.op === "id") return known.has(node.args) ? undefined : node.args;
  if (node.op === "call") return functions.has(node.args[0]) ? undefined : `${node.args[0]}()`;
  if (node.op === "rcall") return methods.has(node.args[0]) ? undefined : `${node.args[0]}()`;
  if (node.op === "value")
    return isPlain(node.args) ? undefined : "a literal of bytes or of an unsigned number";
  return operators.has(node.op) ? undefined : describe(node.op);
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function describe(operator: string): string {
  return operator === "map" ? "a map literal" : operator;
}

/** Adds the variable of `exists` or `all`, named by the first argument, to the scope of its predicate. */
function scopeOf(
  node: ASTNode,
  known: ReadonlySet<string>,
): { readonly inside: ReadonlySet<string>; readonly parts: readonly ASTNode[] } {
  const loop = loopOf(node);
  if (loop === undefined) return { inside: known, parts: [] };
  return { inside: new Set([...known, loop.variable]), parts: [loop.predicate] };
}

/** A call of `exists` or `all`. */
export interface Loop {
  readonly over: ASTNode;
  readonly variable: string;
  readonly predicate: ASTNode;
}

/** Returns the loop of a node, if it is one. */
export function loopOf(node: ASTNode): Loop | undefined {
  if (node.op !== "rcall") return undefined;
  const [name, over, [variable, predicate, ...rest]] = node.args;
  if ((name !== "exists" && name !== "all") || rest.length > 0) return undefined;
  if (variable?.op !== "id" || predicate === undefined) return undefined;
  return { over, variable: variable.args, predicate };
}

/** Returns the operands of a node; for a loop, its range and its predicate. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  const loop = loopOf(node);
  return loop === undefined ? operandsOf(node) : [loop.over, loop.predicate];
}

function operandsOf(node: ASTNode): readonly ASTNode[] {
  if (node.op === "value" || node.op === "id") return [];
  if (node.op === "." || node.op === ".?") return [node.args[0]];
  if (node.op === "call") return node.args[1];
  if (node.op === "rcall") return [node.args[1], ...node.args[2]];
  if (node.op === "!_" || node.op === "-_") return [node.args];
  return node.op === "map" ? node.args.flat() : node.args;
}
