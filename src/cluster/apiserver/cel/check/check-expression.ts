import { functions } from "../library/functions.ts";
import type { Overload } from "../library/overload.ts";
import type {
  CallExpression,
  Expression,
  FoldExpression,
  ListExpression,
  MapExpression,
  SelectExpression,
} from "../syntax/expression.ts";
import type { Problem } from "../syntax/problem.ts";
import {
  bool,
  type CelType,
  dyn,
  errorType,
  formatType,
  int,
  list,
  map,
  optional,
  mapParts,
} from "../types/cel-type.ts";
import { reservedWords } from "../types/escape-name.ts";
import { KnownNames, qualifiedName, type Variables } from "./known-names.ts";
import { literalType } from "./literal-type.ts";
import { areSameTypes, mostGeneral, Substitutions } from "./substitutions.ts";

/** An expression that means something: the type of every node, and which overloads its calls can have. */
export interface Checked {
  readonly expression: Expression;
  readonly type: CelType;
  readonly typeOf: (node: Expression) => CelType;
  readonly overloadsOf: (node: Expression) => readonly Overload[];
  /** The names of types that are read as values. */
  readonly typeNameOf: (node: Expression) => string | undefined;
  /** The names of variables with a dot in their names, which are written like fields. */
  readonly variableNameOf: (node: Expression) => string | undefined;
  /** The variables that are read. */
  readonly reads: ReadonlySet<string>;
}

export type CheckResult =
  | { readonly ok: true; readonly checked: Checked }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Determines the types of an expression, and reports what does not fit. */
export function checkExpression(expression: Expression, variables: Variables): CheckResult {
  const checker = new Checker(variables);
  const type = checker.check(expression);
  if (checker.problems.length > 0) return { ok: false, problems: checker.problems };
  return { ok: true, checked: checker.result(expression, type) };
}

class Checker {
  readonly problems: Problem[] = [];
  readonly #types = new Map<Expression, CelType>();
  readonly #overloads = new Map<Expression, readonly Overload[]>();
  readonly #substitutions = new Substitutions();
  readonly #names: KnownNames;

  constructor(variables: Variables) {
    this.#names = new KnownNames(variables);
  }

  result(expression: Expression, type: CelType): Checked {
    const resolved = new Map<Expression, CelType>();
    for (const [node, of] of this.#types)
      resolved.set(node, this.#substitutions.resolve(of, { rest: "dyn" }));
    return {
      expression,
      type: this.#substitutions.resolve(type, { rest: "dyn" }),
      typeOf: (node) => resolved.get(node) ?? dyn,
      overloadsOf: (node) => this.#overloads.get(node) ?? [],
      typeNameOf: (node) => this.#names.typeNames.get(node),
      variableNameOf: (node) => this.#names.dottedVariables.get(node),
      reads: this.#names.reads,
    };
  }

  check(node: Expression): CelType {
    const type = this.#typeOf(node);
    this.#types.set(node, type);
    return type;
  }

  #typeOf(node: Expression): CelType {
    switch (node.kind) {
      case "literal":
        return literalType(node.value);
      case "ident":
        return this.#names.ident(node, node.name) ?? this.#undeclared(node, node.name);
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "struct":
        return this.#undeclared(node, node.name);
      case "fold":
        return this.#fold(node);
    }
  }

  #problem({ at }: { readonly at: number }, message: string): CelType {
    this.problems.push({ at, message });
    return errorType;
  }

  #undeclared(node: Expression, name: string): CelType {
    return this.#problem(node, `undeclared reference to '${name}' (in container '')`);
  }

  #select(node: SelectExpression): CelType {
    const name = qualifiedName(node);
    const whole = name === undefined ? undefined : this.#names.qualified(node, name);
    if (whole !== undefined) return whole;
    const type = this.#field(node, this.check(node.operand), node.field);
    return node.isTest ? bool : type;
  }

  #field(node: Expression, operand: CelType, field: string): CelType {
    const target = this.#substitutions.resolve(operand);
    if (target.kind === "map") return target.value;
    if (target.kind === "object")
      return fieldOf(target.fields, field) ?? this.#problem(node, `undefined field '${field}'`);
    if (target.kind === "optional") return optional(unwrapped(this.#field(node, target.value, field)));
    if (this.#isOpen(target)) return dyn;
    // Without their declarations, types of Kubernetes are objects of unknown fields.
    if (target.kind === "opaque" && target.name.startsWith("kubernetes."))
      return this.#problem(node, `unexpected failed resolution of '${target.name}'`);
    return this.#problem(node, `type '${formatType(target)}' does not support field selection`);
  }

  #call(node: CallExpression): CelType {
    if (node.name === "_?._") return this.#optionalField(node);
    const args = node.args.map((arg) => this.check(arg));
    const { target, name } = node;
    if (target === undefined) return this.#resolve(node, { name, args, isMethod: false });
    const prefix = qualifiedName(target);
    const full = prefix === undefined ? undefined : `${prefix}.${name}`;
    if (full !== undefined && functions.has(full) && !this.#names.isVariable(full))
      return this.#resolve(node, { name: full, args, isMethod: false });
    return this.#resolve(node, { name, args: [this.check(target), ...args], isMethod: true });
  }

  #optionalField(node: CallExpression): CelType {
    const [operand, field] = node.args;
    if (operand === undefined || field?.kind !== "literal" || typeof field.value !== "string")
      return errorType;
    this.check(field);
    const type = this.#field(node, this.check(operand), field.value);
    return optional(type.kind === "error" ? dyn : unwrapped(type));
  }

  #resolve(
    node: CallExpression,
    {
      name,
      args,
      isMethod,
    }: { readonly name: string; readonly args: readonly CelType[]; readonly isMethod: boolean },
  ): CelType {
    const declared = functions.get(name);
    if (declared === undefined) return this.#undeclared(node, name);
    if (name === "_&&_" || name === "_||_") return this.#logic(node, args, declared);
    const found: Overload[] = [];
    const results: CelType[] = [];
    for (const overload of declared) {
      const type = overload.isMethod === isMethod ? this.#resultOf(overload, args) : undefined;
      if (type === undefined) continue;
      found.push(overload);
      results.push(type);
    }
    this.#overloads.set(node, found);
    const [first, ...others] = results;
    if (first === undefined) return this.#noOverload(node, { name, args, isMethod });
    return others.every((type) => areSameTypes(first, type)) ? first : dyn;
  }

  #logic(node: CallExpression, args: readonly CelType[], declared: readonly Overload[]): CelType {
    this.#overloads.set(node, declared);
    let isFine = true;
    for (const [index, type] of args.entries()) {
      if (this.#substitutions.isAssignable(type, bool)) continue;
      isFine = false;
      this.#mismatch(node.args[index] ?? node, bool, type);
    }
    return isFine ? bool : errorType;
  }

  /** Returns the result of an overload, if it takes arguments of these types. */
  #resultOf({ parameters, result }: Overload, args: readonly CelType[]): CelType | undefined {
    const fresh = new Map<string, CelType>();
    const renamed = (type: CelType): CelType => {
      if (type.kind === "type") return type.of === undefined ? type : { ...type, of: renamed(type.of) };
      if (type.kind !== "parameter") return mapParts(type, renamed);
      const known = fresh.get(type.name) ?? this.#substitutions.fresh();
      fresh.set(type.name, known);
      return known;
    };
    const wanted = parameters.map(({ type }) => renamed(type));
    if (!this.#substitutions.areAssignable(args, wanted)) return undefined;
    return this.#substitutions.resolve(renamed(result));
  }

  #noOverload(
    node: CallExpression,
    {
      name,
      args,
      isMethod,
    }: { readonly name: string; readonly args: readonly CelType[]; readonly isMethod: boolean },
  ): CelType {
    const types = args.map((type) => formatType(this.#substitutions.resolve(type, { rest: "dyn" })));
    const [target = "", ...others] = types;
    const signature = isMethod ? `${target}.(${others.join(", ")})` : `(${types.join(", ")})`;
    return this.#problem(node, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  #mismatch(node: Expression, wanted: CelType, found: CelType): CelType {
    const shown = (type: CelType) => formatType(this.#substitutions.resolve(type));
    return this.#problem(node, `expected type '${shown(wanted)}' but found '${shown(found)}'`);
  }

  #list({ elements, optionals }: ListExpression): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of elements.entries()) {
      const type = this.check(element);
      joined = this.#join(joined, optionals.has(index) ? this.#present(element, type) : type);
    }
    return list(joined ?? this.#substitutions.fresh());
  }

  /** The type of what is in an optional element. */
  #present(node: Expression, type: CelType): CelType {
    const resolved = this.#substitutions.resolve(type);
    if (resolved.kind === "optional") return resolved.value;
    return resolved.kind === "dyn" ? resolved : this.#mismatch(node, optional(resolved), resolved);
  }

  #map({ entries }: MapExpression): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, isOptional } of entries) {
      keys = this.#join(keys, this.check(key));
      const type = this.check(value);
      values = this.#join(values, isOptional ? this.#present(value, type) : type);
    }
    return map(keys ?? this.#substitutions.fresh(), values ?? this.#substitutions.fresh());
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#substitutions.isAssignable(previous, current) ? mostGeneral(previous, current) : dyn;
  }

  #fold(node: FoldExpression): CelType {
    const range = this.#substitutions.resolve(this.check(node.range));
    const accumulator = this.check(node.init);
    const [first, second] = this.#iterated(node, range);
    this.#names.enter(new Map([[node.accumulator, accumulator]]));
    const inside = new Map([[node.variable, first]]);
    if (node.second !== undefined) inside.set(node.second, second);
    this.#names.enter(inside);
    this.#expect(node.condition, bool);
    this.#expect(node.step, accumulator);
    this.#names.leave();
    const result = this.check(node.result);
    this.#names.leave();
    return this.#substitutions.resolve(result);
  }

  #expect(node: Expression, wanted: CelType): void {
    const found = this.check(node);
    if (!this.#substitutions.isAssignable(found, wanted)) this.#mismatch(node, wanted, found);
  }

  /** The types of the variables of a loop. */
  #iterated({ range, second }: FoldExpression, type: CelType): readonly [CelType, CelType] {
    if (type.kind === "list") return second === undefined ? [type.element, dyn] : [int, type.element];
    if (type.kind === "map") return [type.key, type.value];
    if (this.#isOpen(type)) return [dyn, dyn];
    this.#problem(
      range,
      `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return [errorType, errorType];
  }

  /** Reports whether a type can be any; a parameter is from then on. */
  #isOpen(type: CelType): boolean {
    if (type.kind === "parameter") this.#substitutions.isAssignable(dyn, type);
    return ["dyn", "error", "parameter"].includes(type.kind);
  }
}

/** Words of the language can also name fields behind a dot. */
function fieldOf(fields: ReadonlyMap<string, CelType>, name: string): CelType | undefined {
  return fields.get(name) ?? (reservedWords.has(name) ? fields.get(`__${name}__`) : undefined);
}

function unwrapped(type: CelType): CelType {
  return type.kind === "optional" ? type.value : type;
}
