import type { Expression } from "../syntax/expression.ts";
import type { CelType } from "../types/cel-type.ts";
import { typeNames } from "./type-names.ts";

/** The types of variables, by their names, which may have dots. */
export type Variables = ReadonlyMap<string, CelType>;

/** What names mean at a place in an expression, and which of them are read. */
export class KnownNames {
  readonly #variables: Variables;
  readonly #scopes: ReadonlyMap<string, CelType>[] = [];
  /** The variables that are read. */
  readonly reads = new Set<string>();
  /** The names of types that are read as values. */
  readonly typeNames = new Map<Expression, string>();
  /** The names of variables with a dot in their names, which are written like fields. */
  readonly dottedVariables = new Map<Expression, string>();

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** Adds the variables of a loop. */
  enter(scope: ReadonlyMap<string, CelType>): void {
    this.#scopes.push(scope);
  }

  leave(): void {
    this.#scopes.pop();
  }

  /** Returns the type of a name without dots, if it means something. */
  ident(node: Expression, name: string): CelType | undefined {
    const local = this.#local(name);
    if (local !== undefined) return local;
    const type = this.#variables.get(name);
    if (type === undefined) return this.#namedType(node, name);
    this.reads.add(name);
    return type;
  }

  /** Returns the type of a name with dots, if it means something as a whole. */
  qualified(node: Expression, name: string): CelType | undefined {
    const [first = ""] = name.split(".");
    if (this.#local(first) !== undefined) return undefined;
    const type = this.#variables.get(name);
    if (type === undefined) return this.#variables.has(first) ? undefined : this.#namedType(node, name);
    this.dottedVariables.set(node, name);
    this.reads.add(name);
    return type;
  }

  /** Reports whether the first part of a name is a variable. */
  isVariable(name: string): boolean {
    const [first = ""] = name.split(".");
    return this.#local(first) !== undefined || this.#variables.has(first);
  }

  #local(name: string): CelType | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  #namedType(node: Expression, name: string): CelType | undefined {
    const type = typeNames.get(name);
    if (type !== undefined) this.typeNames.set(node, name);
    return type && { kind: "type", of: type };
  }
}

/** Returns the name that selections of fields are written like, such as `a.b.c`. */
export function qualifiedName(node: Expression): string | undefined {
  if (node.kind === "ident") return node.name;
  if (node.kind !== "select" || node.isTest) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
