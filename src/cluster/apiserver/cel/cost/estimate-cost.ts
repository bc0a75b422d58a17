import type { Checked } from "../check/check-expression.ts";
import type { Overload } from "../library/overload.ts";
import {
  accumulatorName,
  type CallExpression,
  type Expression,
  type FoldExpression,
  type IdentExpression,
  type SelectExpression,
} from "../syntax/expression.ts";
import type { CelType } from "../types/cel-type.ts";
import type { Declaration } from "../types/declaration.ts";
import {
  type CostRange,
  either,
  exactly,
  mostCost,
  one,
  plus,
  sumOf,
  times,
  unknownSize,
  zero,
} from "./cost-range.ts";
import type { CallEstimate, EstimatedArgument } from "./cost-rule.ts";
import {
  type EntrySizes,
  extended,
  hasSizeOne,
  indexSteps,
  isBinding,
  literalSize,
  type Local,
  logicCost,
  memberOf,
  type Path,
  resultSize,
  unionOf,
} from "./known-size.ts";

const selecting = one;
const makingList = exactly(10);
const makingMap = exactly(30);
const makingStruct = exactly(40);

/**
 * Estimates what an expression costs at least and at most. The declaration is that of the variables `self` and `oldSelf`,
 * whose bounds limit the sizes of what is read from them; without one, only literals have a known size.
 */
export function estimateCost(checked: Checked, declaration?: Declaration): CostRange {
  return new Estimator(checked, declaration).cost(checked.expression);
}

class Estimator {
  readonly #checked: Checked;
  readonly #declaration: Declaration | undefined;
  readonly #paths = new Map<Expression, Path>();
  readonly #sizes = new Map<Expression, CostRange>();
  readonly #entries = new Map<Expression, EntrySizes>();
  readonly #locals: Local[] = [];

  constructor(checked: Checked, declaration: Declaration | undefined) {
    this.#checked = checked;
    this.#declaration = declaration;
  }

  cost(node: Expression): CostRange {
    switch (node.kind) {
      case "literal":
        return zero;
      case "ident":
        return this.#ident(node);
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node);
      case "list":
        return this.#list(node, node.elements);
      case "map":
        return this.#map(node);
      case "struct":
        return makingStruct;
      case "fold":
        return isBinding(node) ? this.#binding(node) : this.#fold(node);
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }

  #ident(node: IdentExpression): CostRange {
    const local = this.#local(node.name);
    this.#paths.set(node, local === undefined ? [node.name] : local.path);
    return selecting;
  }

  #pathOf(node: Expression): Path {
    const local = node.kind === "ident" ? this.#local(node.name) : undefined;
    return local === undefined ? this.#paths.get(node) : local.path;
  }

  #select(node: SelectExpression): CostRange {
    const operand = this.cost(node.operand);
    if (node.isTest) return operand;
    const { kind } = this.#checked.typeOf(node.operand);
    if (this.#checked.typeNameOf(node) !== undefined) {
      this.#paths.set(node, [node.field]);
      return selecting;
    }
    const hasCost = kind === "map" || kind === "object" || kind === "parameter";
    this.#paths.set(node, extended(this.#pathOf(node.operand), node.field));
    return hasCost ? plus(operand, selecting) : operand;
  }

  #list(node: Expression, elements: readonly Expression[]): CostRange {
    const costs = elements.map((element) => this.cost(element));
    const value = this.#sizeOfAny(elements);
    this.#entries.set(node, { isList: true, key: one, value });
    return plus(sumOf(costs), makingList);
  }

  #map(node: Extract<Expression, { readonly kind: "map" }>): CostRange {
    const costs = node.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    this.#entries.set(node, {
      isList: false,
      key: this.#sizeOfAny(node.entries.map(({ key }) => key)),
      value: this.#sizeOfAny(node.entries.map(({ value }) => value)),
    });
    return plus(sumOf(costs), makingMap);
  }

  #sizeOfAny(nodes: readonly Expression[]): CostRange {
    if (nodes.length === 0) return zero;
    return nodes.map((node) => this.#size(node) ?? unknownSize).reduce(either, { min: mostCost, max: 0 });
  }

  #size(node: Expression): CostRange | undefined {
    const known = this.#sizes.get(node) ?? literalSize(node);
    if (known !== undefined) return known;
    const declared = this.#declaredSize(this.#pathOf(node));
    if (declared !== undefined) {
      this.#sizes.set(node, declared);
      return declared;
    }
    if (hasSizeOne(this.#checked.typeOf(node))) return one;
    return node.kind === "ident" ? this.#local(node.name)?.size : undefined;
  }

  /** Returns the size that the schema gives to what is at a path. */
  #declaredSize(path: Path): CostRange | undefined {
    if (path === undefined || path.length === 0) return undefined;
    let declaration = this.#declaration;
    for (const step of path.slice(1)) declaration = declaration && memberOf(declaration, step);
    return declaration && { min: 0, max: declaration.maxElements };
  }

  #entriesOf(node: Expression): EntrySizes | undefined {
    const known = this.#entries.get(node);
    if (known !== undefined || node.kind !== "ident") return known;
    return this.#local(node.name)?.entries;
  }

  #call(node: CallExpression): CostRange {
    const [first] = node.args;
    if (node.name === "dyn" && node.target === undefined && first !== undefined)
      return this.#dyn(node, first);
    const operands = this.#operands(node);
    const costs = operands.map((operand) => this.cost(operand));
    if (node.name === "_&&_" || node.name === "_||_") return logicCost(costs);
    if (node.name === "_?_:_") return this.#conditional(node, costs);
    return plus(this.#ownCost(node), sumOf(costs));
  }

  /** The cost of a call without that of its operands: that of any of its overloads. */
  #ownCost(node: CallExpression): CostRange {
    const overloads = this.#checked.overloadsOf(node);
    const estimates = overloads.map((overload) => this.#estimate(node, overload));
    this.#learnIndex(node, overloads);
    const size = resultSize(estimates) ?? this.#entrySizeOfIndex(node, overloads) ?? this.#size(node);
    if (size !== undefined) this.#sizes.set(node, size);
    if (estimates.length === 0) return one;
    return estimates.map(({ cost }) => cost).reduce(either, { min: mostCost, max: 0 });
  }

  /** What a call is made with; in `math.max(a)` the target is only a part of the name. */
  #operands(node: CallExpression): readonly Expression[] {
    const isMethod = this.#checked.overloadsOf(node)[0]?.isMethod !== false;
    return node.target === undefined || !isMethod ? node.args : [node.target, ...node.args];
  }

  #dyn(node: CallExpression, argument: Expression): CostRange {
    const cost = this.cost(argument);
    this.#copySizes(node, argument);
    return plus(one, cost);
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#size(from);
    const entries = this.#entriesOf(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #conditional(
    node: CallExpression,
    [condition = zero, yes = zero, no = zero]: readonly CostRange[],
  ): CostRange {
    const [, whenTrue, whenFalse] = node.args;
    if (whenTrue !== undefined && whenFalse !== undefined) {
      const entries = unionOf(this.#entriesOf(whenTrue), this.#entriesOf(whenFalse));
      if (entries !== undefined) this.#entries.set(node, entries);
      this.#sizes.set(
        node,
        either(this.#size(whenTrue) ?? unknownSize, this.#size(whenFalse) ?? unknownSize),
      );
    }
    return plus(condition, either(yes, no));
  }

  #estimate(node: CallExpression, overload: Overload): CallEstimate {
    const operands = this.#operands(node);
    if (overload.id.startsWith("add_")) this.#learnSum(node, operands);
    return overload.cost?.estimate(operands.map((each) => this.#argument(each))) ?? { cost: one };
  }

  #learnSum(node: Expression, [left, right]: readonly Expression[]): void {
    if (left === undefined || right === undefined) return;
    const entries = unionOf(this.#entriesOf(left), this.#entriesOf(right));
    if (entries !== undefined) this.#entries.set(node, entries);
  }

  #argument(node: Expression): EstimatedArgument {
    const type = this.#checked.typeOf(node);
    const path = this.#pathOf(node);
    const known = path?.[0] === accumulatorName ? this.#sizes.get(node) : this.#size(node);
    return {
      size: known ?? (type.kind === "opaque" ? one : undefined),
      literal: node.kind === "literal" ? node.value : undefined,
      items: type.kind === "list" ? this.#items(type.element, path) : undefined,
    };
  }

  #items({ kind }: CelType, path: Path) {
    const size = (path && this.#declaredSize(extended(path, "@items"))) ?? unknownSize;
    return { size, isText: kind === "string" || kind === "bytes" };
  }

  /** What is read by an index is known as well as the items or values of the list or map. */
  #learnIndex(node: CallExpression, overloads: readonly Overload[]): void {
    const [operand] = node.args;
    const step = indexSteps[overloads.at(-1)?.id ?? ""];
    if (operand !== undefined && step !== undefined)
      this.#paths.set(node, extended(this.#pathOf(operand), step));
  }

  #entrySizeOfIndex(node: CallExpression, overloads: readonly Overload[]): CostRange | undefined {
    const [operand] = node.args;
    const isIndex = overloads.some(({ id }) => indexSteps[id] !== undefined);
    return isIndex && operand !== undefined ? this.#entriesOf(operand)?.value : undefined;
  }

  #fold(node: FoldExpression): CostRange {
    const range = this.cost(node.range);
    const init = this.cost(node.init);
    const depth = this.#locals.length;
    this.#locals.push({
      name: node.accumulator,
      path: this.#pathOf(node.init),
      size: this.#size(node.init),
      entries: this.#entriesOf(node.init),
    });
    this.#locals.push(...this.#iterated(node));
    const condition = this.cost(node.condition);
    const step = this.cost(node.step);
    const entries = this.#entriesOf(node.step);
    this.#locals.length = depth + 1;
    const result = this.cost(node.result);
    this.#locals.length = depth;
    const count = this.#size(node.range) ?? unknownSize;
    this.#learnFold(node, count, entries);
    return plus(sumOf([range, init, result]), times(count, plus(step, condition)));
  }

  #learnFold(node: FoldExpression, count: CostRange, entries: EntrySizes | undefined): void {
    if (node.init.kind === "literal") {
      const size = this.#size(node.init);
      if (size !== undefined) this.#sizes.set(node, size);
    } else if (node.init.kind === "list" || node.init.kind === "map") {
      this.#sizes.set(node, count);
      if (entries !== undefined) this.#entries.set(node, entries);
    }
  }

  /** The variables of a loop. */
  #iterated(node: FoldExpression): readonly Local[] {
    const { range, variable, second } = node;
    const entries = this.#entriesOf(range);
    const { key, value } = entries ?? {};
    const isList = entries?.isList ?? this.#checked.typeOf(range).kind === "list";
    const path = this.#pathOf(range);
    const local = (name: string, step: string, size: CostRange | undefined): Local => {
      return { name, path: extended(path, step), size, entries: undefined };
    };
    const values = isList ? "@items" : "@values";
    if (second === undefined)
      return [isList ? local(variable, values, value) : local(variable, "@keys", key)];
    return [local(variable, isList ? "@indices" : "@keys", key), local(second, values, value)];
  }

  #binding(node: FoldExpression): CostRange {
    const range = this.cost(node.range);
    const init = this.cost(node.init);
    this.#locals.push({
      name: node.accumulator,
      path: this.#pathOf(node.init),
      size: this.#size(node.init),
      entries: this.#entriesOf(node.init),
    });
    const result = this.cost(node.result);
    this.#locals.pop();
    this.#copySizes(node, node.result);
    return sumOf([range, init, result]);
  }
}
