import { comparing } from "../cost/cost-rule.ts";
import { type Overload, Steps, takes } from "../library/overload.ts";
import {
  CelError,
  type CelValue,
  isList,
  isMap,
  listOf,
  noSuchOverload,
  Optional,
} from "../values/cel-value.ts";
import { LiteralMap } from "../values/literal-map.ts";
import { type Iteration, listIteration, mapIteration, notIterable } from "./iteration.ts";
import { addEntry, hasField, select } from "./read-field.ts";
import type { Instruction, Loop, Program } from "./instruction.ts";

/** What a program reads, and what it may cost. */
export interface RunOptions {
  /** Returns the value of a variable. */
  readonly variable: (name: string) => CelValue | undefined;
  readonly limit: number;
}

/** The value of an expression, an error perhaps, and what it cost. */
export interface RunResult {
  readonly value: CelValue;
  readonly cost: number;
  readonly isOverLimit: boolean;
}

/** The caller may do other work after this much of ours: some hundred microseconds. */
const workPerPause = 2_000;

export const overLimit = new CelError("operation cancelled: actual cost limit exceeded");

/** Runs a program; pauses after every stretch of work, and ends when it costs more than the limit. */
export function* runProgram(program: Program, options: RunOptions): Generator<undefined, RunResult> {
  const machine = new Machine(program, options);
  while (!machine.advance()) yield undefined;
  return machine.result();
}

/** A call of a function with values. */
interface Call {
  readonly overload: Overload | undefined;
  readonly args: readonly CelValue[];
  /** Whether it costs nothing. */
  readonly isFree: boolean;
}

type Unfinished = Call & Pick<Steps, "generator">;

class Machine {
  readonly #instructions: readonly Instruction[];
  readonly #options: RunOptions;
  readonly #stack: CelValue[] = [];
  readonly #slots: CelValue[];
  readonly #iterations = new Map<number, Iteration>();
  /** The lists that loops collect, by the slots that hold them. */
  readonly #collected = new Map<number, CelValue[]>();
  /** The call that is being computed with pauses. */
  #unfinished: Unfinished | undefined;
  #position = 0;
  #cost = 0;
  #work = 0;

  constructor({ instructions, slots }: Program, options: RunOptions) {
    this.#instructions = instructions;
    this.#options = options;
    this.#slots = Array.from({ length: slots }, () => null);
  }

  result(): RunResult {
    const isOverLimit = this.#cost > this.#options.limit;
    return { value: isOverLimit ? overLimit : this.#top(), cost: this.#cost, isOverLimit };
  }

  /** Runs until a pause is due; reports whether the program has ended. */
  advance(): boolean {
    this.#work = 0;
    while (this.#work < workPerPause) {
      if (this.#unfinished !== undefined && !this.#goOn(this.#unfinished)) return false;
      const instruction = this.#instructions[this.#position];
      if (instruction === undefined || this.#cost > this.#options.limit) return true;
      this.#position += 1;
      this.#work += 1;
      this.#step(instruction);
    }
    return false;
  }

  #top(): CelValue {
    return this.#stack.at(-1) ?? null;
  }

  #pop(): CelValue {
    return this.#stack.pop() ?? null;
  }

  #push(value: CelValue): void {
    this.#stack.push(value);
  }

  #charge(cost: number): void {
    this.#cost += cost;
    this.#work += cost;
  }

  #step(instruction: Instruction): void {
    switch (instruction.op) {
      case "push":
        this.#push(instruction.value);
        break;
      case "variable":
        this.#charge(instruction.cost);
        this.#push(this.#variable(instruction.name));
        break;
      case "slot":
        this.#charge(instruction.cost);
        this.#push(this.#slot(instruction.slot));
        break;
      case "store":
        this.#collected.delete(instruction.slot);
        this.#slots[instruction.slot] = this.#pop();
        break;
      case "select":
        this.#charge(1);
        this.#push(select(this.#pop(), instruction.field, instruction.isOptional));
        break;
      case "test":
        this.#push(hasField(this.#pop(), instruction.field));
        break;
      case "call":
        this.#call(instruction);
        break;
      case "list":
        this.#list(instruction.count, instruction.optionals);
        break;
      case "map":
        this.#map(instruction.optionals);
        break;
      case "collect":
        this.#push(new LiteralMap());
        break;
      case "decided":
        if (this.#top() === instruction.by) this.#position = instruction.jump;
        break;
      case "combine":
        this.#combine(instruction.by);
        break;
      case "branch":
        this.#branch(instruction.jump, instruction.end);
        break;
      case "jump":
        this.#position = instruction.jump;
        break;
      case "present":
        this.#present(instruction.wraps, instruction.jump);
        break;
      case "iterate":
        this.#iterate(instruction.loop, instruction.end);
        break;
      case "next":
        this.#next(instruction.loop, instruction.end);
        break;
      case "while":
        if (this.#pop() !== true) this.#position = instruction.end;
        break;
      case "append":
        this.#append(instruction.slot);
        break;
    }
  }

  #variable(name: string): CelValue {
    const value = this.#options.variable(name);
    // A variable may be null.
    return value === undefined ? new CelError(`no such attribute(s): ${name}`) : value;
  }

  #slot(slot: number): CelValue {
    const collected = this.#collected.get(slot);
    return collected === undefined ? (this.#slots[slot] ?? null) : listOf(collected);
  }

  #call({ overloads, count, isFree }: Extract<Instruction, { readonly op: "call" }>): void {
    const args = this.#stack.splice(this.#stack.length - count, count);
    const failed = firstError(overloads, args);
    const overload = failed === undefined ? overloads.find((each) => takes(each, args)) : undefined;
    const call = { overload, args, isFree };
    const result = overload?.run(args) ?? failed ?? noSuchOverload;
    if (result instanceof Steps) this.#unfinished = { ...call, generator: result.generator };
    else this.#finish(call, result);
  }

  /** Goes on with a call to its next pause; reports whether it has ended. */
  #goOn(call: Unfinished): boolean {
    const step = call.generator.next();
    if (step.done !== true) return false;
    this.#unfinished = undefined;
    this.#finish(call, step.value);
    return true;
  }

  #finish({ overload, args, isFree }: Call, result: CelValue): void {
    this.#push(result);
    const cost = costOf(overload, args, result);
    if (isFree) this.#work += cost;
    else this.#charge(cost);
    // Comparing large values takes longer than it costs.
    if (overload?.cost === comparing && typeof args[0] === "object") this.#work += workPerPause / 20;
  }

  #list(count: number, optionals: ReadonlySet<number>): void {
    this.#charge(10);
    const values = this.#stack.splice(this.#stack.length - count, count);
    const items: CelValue[] = [];
    for (const [index, value] of values.entries()) {
      if (value instanceof CelError) {
        this.#push(value);
        return;
      }
      const item = optionals.has(index) && value instanceof Optional ? value.value : value;
      if (item !== undefined) items.push(item);
    }
    this.#push(listOf(items));
  }

  #map(optionals: readonly boolean[]): void {
    this.#charge(30);
    const parts = this.#stack.splice(this.#stack.length - optionals.length * 2);
    const made = new LiteralMap();
    let problem: CelError | undefined;
    for (const [index, isOptional] of optionals.entries()) {
      const [key = null, value = null] = parts.slice(index * 2, index * 2 + 2);
      problem ??= addEntry(made, { key, value, isOptional });
    }
    this.#push(problem ?? made);
  }

  #combine(by: boolean): void {
    const right = this.#pop();
    const left = this.#pop();
    if (left === by || right === by) this.#push(by);
    else if (left === !by && right === !by) this.#push(!by);
    else this.#push([left, right].find((each) => each instanceof CelError) ?? noSuchOverload);
  }

  #branch(jump: number, end: number): void {
    const condition = this.#pop();
    if (condition === true) return;
    if (condition === false) {
      this.#position = jump;
      return;
    }
    this.#push(condition instanceof CelError ? condition : noSuchOverload);
    this.#position = end;
  }

  #present(wraps: boolean, jump: number): void {
    const optional = this.#pop();
    if (optional instanceof Optional && optional.value === undefined) return;
    if (optional instanceof Optional) this.#push(wraps ? optional : (optional.value ?? null));
    else this.#push(optional instanceof CelError ? optional : noSuchOverload);
    this.#position = jump;
  }

  #iterate({ state, second }: Loop, end: number): void {
    const range = this.#pop();
    if (isList(range)) this.#iterations.set(state, listIteration(range));
    else if (isMap(range)) this.#iterations.set(state, mapIteration(range));
    else {
      this.#push(range instanceof CelError ? range : notIterable(range, second !== undefined));
      this.#position = end;
    }
  }

  #next({ state, variable, second }: Loop, end: number): void {
    const iteration = this.#iterations.get(state);
    if (iteration === undefined) return;
    const { index } = iteration;
    if (index >= iteration.size) {
      this.#position = end;
      return;
    }
    iteration.index += 1;
    if (second === undefined) {
      this.#slots[variable] = iteration.single(index);
      return;
    }
    const [key, value] = iteration.entry(index);
    this.#slots[variable] = key;
    this.#slots[second] = value;
  }

  /** Adds to the list of a loop, which nothing else refers to before the loop has ended. */
  #append(slot: number): void {
    // What reading the list, making one of the item and joining them would cost.
    this.#charge(12);
    const value = this.#pop();
    const before = this.#slots[slot] ?? null;
    if (before instanceof CelError) return;
    if (value instanceof CelError) {
      this.#collected.delete(slot);
      this.#slots[slot] = value;
      return;
    }
    const collected = this.#collected.get(slot);
    if (collected === undefined) this.#collected.set(slot, [value]);
    else collected.push(value);
  }
}

/** Returns the error that a call fails with before it happens; loops ask for what is not false, errors included. */
function firstError([overload]: readonly Overload[], args: readonly CelValue[]): CelValue | undefined {
  return overload?.id === "not_strictly_false" ? undefined : args.find((arg) => arg instanceof CelError);
}

/** What a call has cost. */
function costOf(overload: Overload | undefined, args: readonly CelValue[], result: CelValue): number {
  if (result instanceof CelError || overload?.cost === undefined) return 1;
  return overload.cost.actual(args, result);
}
