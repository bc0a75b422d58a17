import type { Checked } from "../check/check-expression.ts";
import type {
  CallExpression,
  Expression,
  FoldExpression,
  ListExpression,
  MapExpression,
} from "../syntax/expression.ts";
import { CelError, TypeValue } from "../values/cel-value.ts";
import { constantValue } from "./constant-value.ts";
import type { Instruction, Loop, Program } from "./instruction.ts";

/** Compiles an expression whose types are known into the steps of a program. */
export function compileProgram(checked: Checked): Program {
  const compiler = new Compiler(checked);
  compiler.emit(checked.expression);
  return { instructions: compiler.instructions, slots: compiler.slots };
}

/** A step whose jumps are set when their aims are known. */
type Open = { -readonly [Key in "jump" | "end"]?: number };

class Compiler {
  readonly instructions: Instruction[] = [];
  slots = 0;
  readonly #checked: Checked;
  readonly #scope: { readonly name: string; readonly slot: number }[] = [];

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  emit(node: Expression): void {
    const constant = constantValue(node, this.#checked);
    if (constant !== undefined) {
      this.#add({ op: "push", value: constant });
      return;
    }
    switch (node.kind) {
      case "literal":
        break;
      case "ident":
        this.#ident(node, node.name);
        break;
      case "select":
        this.#select(node);
        break;
      case "call":
        this.#call(node);
        break;
      case "list":
        this.#list(node);
        break;
      case "map":
        this.#map(node);
        break;
      case "struct":
        this.#add({ op: "push", value: new CelError(`unknown type '${node.name}'`) });
        break;
      case "fold":
        this.#fold(node);
    }
  }

  #add<Kind extends Instruction>(instruction: Kind): Kind & Open {
    this.instructions.push(instruction);
    return instruction;
  }

  get #here(): number {
    return this.instructions.length;
  }

  #slot(): number {
    this.slots += 1;
    return this.slots - 1;
  }

  /** Emits an operand; a name alone costs nothing there. */
  #emitFree(node: Expression | undefined): void {
    if (node?.kind === "ident") this.#ident(node, node.name, 0);
    else if (node !== undefined) this.emit(node);
  }

  #ident(node: Expression, name: string, cost = 1): void {
    const local = this.#scope.findLast((each) => each.name === name);
    const typeName = this.#checked.typeNameOf(node);
    if (local !== undefined) this.#add({ op: "slot", slot: local.slot, cost });
    else if (typeName !== undefined) this.#add({ op: "push", value: new TypeValue(typeName) });
    else this.#add({ op: "variable", name, cost });
  }

  #select(node: Extract<Expression, { readonly kind: "select" }>): void {
    const typeName = this.#checked.typeNameOf(node);
    if (typeName !== undefined) {
      this.#add({ op: "push", value: new TypeValue(typeName) });
      return;
    }
    const variable = this.#checked.variableNameOf(node);
    if (variable !== undefined) {
      this.#add({ op: "variable", name: variable, cost: 1 });
      return;
    }
    this.emit(node.operand);
    if (node.isTest) this.#add({ op: "test", field: node.field });
    else this.#add({ op: "select", field: node.field, isOptional: false });
  }

  #list({ elements, optionals }: ListExpression): void {
    for (const element of elements) this.emit(element);
    this.#add({ op: "list", count: elements.length, optionals });
  }

  #map({ entries }: MapExpression): void {
    for (const { key, value } of entries) {
      this.emit(key);
      this.emit(value);
    }
    this.#add({ op: "map", optionals: entries.map(({ isOptional }) => isOptional) });
  }

  #call(node: CallExpression): void {
    const [first, second, third] = node.args;
    if (node.name === "_&&_" || node.name === "_||_") this.#logic(node.name === "_||_", [first, second]);
    else if (node.name === "_?_:_") this.#conditional([first, second, third]);
    else if (node.name === "_?._") this.#optionalSelect(first, second);
    else if (!this.#alternative(node)) this.#invoke(node);
  }

  #invoke(node: CallExpression): void {
    const overloads = this.#checked.overloadsOf(node);
    const isMethod = overloads[0]?.isMethod === true;
    const operands = isMethod && node.target !== undefined ? [node.target, ...node.args] : node.args;
    for (const [index, operand] of operands.entries()) {
      if (node.name === "_[_]" && index === 1) this.#emitFree(operand);
      else this.emit(operand);
    }
    this.#add({ op: "call", overloads, count: operands.length, isFree: this.#searchesConstant(node) });
  }

  /** A list that is constant is searched like a set. */
  #searchesConstant({ name, args: [, list] }: CallExpression): boolean {
    return name === "@in" && list !== undefined && constantValue(list, this.#checked) !== undefined;
  }

  #emitAll(nodes: readonly (Expression | undefined)[]): void {
    for (const node of nodes) if (node !== undefined) this.emit(node);
  }

  #logic(by: boolean, [left, right]: readonly (Expression | undefined)[]): void {
    this.#emitAll([left]);
    const decided = this.#add({ op: "decided", by, jump: 0 });
    this.#emitAll([right]);
    this.#add({ op: "combine", by });
    this.#patch(decided, { jump: this.#here });
  }

  /** Sets the jumps of a step that was added before. */
  #patch(instruction: Open, jumps: Open): void {
    Object.assign(instruction, jumps);
  }

  #conditional([condition, yes, no]: readonly (Expression | undefined)[]): void {
    this.#emitAll([condition]);
    const branch = this.#add({ op: "branch", jump: 0, end: 0 });
    this.#emitFree(yes);
    const jump = this.#add({ op: "jump", jump: 0 });
    this.#patch(branch, { jump: this.#here });
    this.#emitFree(no);
    this.#patch(jump, { jump: this.#here });
    this.#patch(branch, { end: this.#here });
  }

  #optionalSelect(operand: Expression | undefined, field: Expression | undefined): void {
    this.#emitAll([operand]);
    const name = field?.kind === "literal" && typeof field.value === "string" ? field.value : "";
    this.#add({ op: "select", field: name, isOptional: true });
  }

  /** Compiles `or()` and `orValue()`, which evaluate their argument only if it is needed; says whether a call is one. */
  #alternative({ name, target, args: [other] }: CallExpression): boolean {
    if (target === undefined || (name !== "or" && name !== "orValue")) return false;
    const { kind } = this.#checked.typeOf(target);
    if (kind !== "optional" && kind !== "dyn") return false;
    this.emit(target);
    const present = this.#add({ op: "present", wraps: name === "or", jump: 0 });
    this.#emitAll([other]);
    this.#patch(present, { jump: this.#here });
    return true;
  }

  #fold(node: FoldExpression): void {
    const loop: Loop = {
      state: this.#slot(),
      variable: this.#slot(),
      second: node.second === undefined ? undefined : this.#slot(),
    };
    const accumulator = this.#slot();
    this.emit(node.range);
    const iterate = this.#add({ op: "iterate", loop, end: 0 });
    if (node.init.kind === "map" && node.init.entries.length === 0) this.#add({ op: "collect" });
    else this.emit(node.init);
    this.#add({ op: "store", slot: accumulator });
    const depth = this.#scope.length;
    this.#scope.push(
      { name: node.accumulator, slot: accumulator },
      { name: node.variable, slot: loop.variable },
    );
    if (node.second !== undefined && loop.second !== undefined)
      this.#scope.push({ name: node.second, slot: loop.second });
    const start = this.#here;
    const next = this.#add({ op: "next", loop, end: 0 });
    const condition = this.#condition(node.condition);
    this.#step(node, { accumulator, start });
    this.#scope.length = depth + 1;
    this.#patch(next, { end: this.#here });
    if (condition !== undefined) this.#patch(condition, { end: this.#here });
    this.emit(node.result);
    this.#scope.length = depth;
    this.#patch(iterate, { end: this.#here });
  }

  #condition(node: Expression): Open | undefined {
    if (node.kind === "literal" && node.value === true) return undefined;
    this.emit(node);
    return this.#add({ op: "while", end: 0 });
  }

  #step({ step, accumulator: name }: FoldExpression, { accumulator, start }: Target): void {
    const added = this.#addedItem(step, name);
    if (added !== undefined) {
      this.emit(added);
      this.#add({ op: "append", slot: accumulator });
      this.#add({ op: "jump", jump: start });
      return;
    }
    if (this.#filtered(step, name, { accumulator, start })) return;
    this.emit(step);
    this.#add({ op: "store", slot: accumulator });
    this.#add({ op: "jump", jump: start });
  }

  /** Returns the item, if a step adds one to the list in the accumulator. */
  #addedItem(step: Expression, name: string): Expression | undefined {
    if (step.kind !== "call" || step.name !== "_+_") return undefined;
    const [left, right] = step.args;
    const isOwn = left?.kind === "ident" && left.name === name;
    return isOwn && right?.kind === "list" && right.elements.length === 1 ? right.elements[0] : undefined;
  }

  /** Compiles a step that adds an item on a condition, and says whether it is one. */
  #filtered(step: Expression, name: string, { accumulator, start }: Target): boolean {
    if (step.kind !== "call" || step.name !== "_?_:_") return false;
    const [filter, yes] = step.args;
    const added = yes === undefined ? undefined : this.#addedItem(yes, name);
    if (filter === undefined || added === undefined) return false;
    this.emit(filter);
    const branch = this.#add({ op: "branch", jump: 0, end: 0 });
    this.emit(added);
    this.#add({ op: "append", slot: accumulator });
    this.#add({ op: "jump", jump: start });
    this.#patch(branch, { jump: this.#here });
    this.#add({ op: "jump", jump: start });
    this.#patch(branch, { end: this.#here });
    this.#add({ op: "store", slot: accumulator });
    this.#add({ op: "jump", jump: start });
    return true;
  }
}

/** The slot of what a loop collects, and where the next round begins. */
interface Target {
  readonly accumulator: number;
  readonly start: number;
}
