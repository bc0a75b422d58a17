import { compilePattern } from "../../../../api/pattern.ts";
import type { CallExpression, Expression } from "../syntax/expression.ts";
import type { Problem } from "../syntax/problem.ts";
import { parseDuration, parseTimestamp } from "../values/time-text.ts";
import { areSameTypes } from "./substitutions.ts";
import { type CelType, formatType } from "../types/cel-type.ts";
import type { Checked } from "./check-expression.ts";

/** Texts that are read while an expression is evaluated: what makes one of them right. */
const readers: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => compilePattern(text).ok,
};

/** Reports durations, times and patterns that are written into an expression and cannot be read. */
export function validateLiterals(checked: Checked): readonly Problem[] {
  const problems: Problem[] = [];
  const mixed = new Set<Expression>();
  visit(checked.expression, (node) => {
    const problem = node.kind === "call" ? argumentProblem(node) : undefined;
    if (problem !== undefined) problems.push(problem);
    // What is written into a text may be of any type.
    const mayMix = mixed.has(node) || (node.kind === "call" && node.name === "format");
    if (mayMix) for (const part of partsOf(node)) mixed.add(part);
    else problems.push(...mixedProblems(node, checked));
  });
  return problems;
}

/** Reports elements of a list or a map whose types differ from that of the first one. */
function mixedProblems(node: Expression, { typeOf }: Checked): readonly Problem[] {
  const present = (part: Expression, isOptional: boolean): Typed => {
    const type = typeOf(part);
    return { at: part.at, type: isOptional && type.kind === "optional" ? type.value : type };
  };
  if (node.kind === "list")
    return differing(
      node.elements.map((element, index) => present(element, node.optionals.has(index))),
    ).slice(0, 1);
  if (node.kind !== "map") return [];
  const keys = node.entries.map(({ key }) => present(key, false));
  const values = node.entries.map(({ value, isOptional }) => present(value, isOptional));
  return [...differing(keys), ...differing(values)];
}

interface Typed {
  readonly at: number;
  readonly type: CelType;
}

function differing([first, ...others]: readonly Typed[]): readonly Problem[] {
  if (first === undefined) return [];
  return others
    .filter(({ type }) => !areSameTypes(first.type, type))
    .map(({ at, type }) => {
      return { at, message: `expected type '${formatType(first.type)}' but found '${formatType(type)}'` };
    });
}

function argumentProblem({ name, target, args }: CallExpression): Problem | undefined {
  const argument = name === "matches" ? args.at(-1) : args[0];
  const isRead = Object.hasOwn(readers, name) && (name === "matches" || target === undefined);
  if (!isRead || argument?.kind !== "literal" || typeof argument.value !== "string") return undefined;
  return readers[name]?.(argument.value) === true
    ? undefined
    : { at: argument.at, message: `invalid ${name} argument` };
}

/** Visits every node of an expression. */
export function visit(node: Expression, see: (node: Expression) => void): void {
  see(node);
  for (const part of partsOf(node)) visit(part, see);
}

function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "literal":
    case "ident":
    case "struct":
      return [];
    case "select":
      return [node.operand];
    case "call":
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case "list":
      return node.elements;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "fold":
      return [node.range, node.init, node.condition, node.step, node.result];
  }
}
