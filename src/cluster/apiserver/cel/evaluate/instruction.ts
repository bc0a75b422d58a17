import type { Overload } from "../library/overload.ts";
import type { CelValue } from "../values/cel-value.ts";

/**
 * A step of a program. Steps work on a stack of values; jumps name the step that is next. The machine that runs them can stop
 * between any two, which functions that call each other cannot.
 */
export type Instruction =
  | { readonly op: "push"; readonly value: CelValue }
  | { readonly op: "variable"; readonly name: string; readonly cost: number }
  | { readonly op: "slot"; readonly slot: number; readonly cost: number }
  /** Takes the value on top into a slot. */
  | { readonly op: "store"; readonly slot: number }
  | { readonly op: "select"; readonly field: string; readonly isOptional: boolean }
  | { readonly op: "test"; readonly field: string }
  | {
      readonly op: "call";
      readonly overloads: readonly Overload[];
      readonly count: number;
      readonly isFree: boolean;
    }
  | { readonly op: "list"; readonly count: number; readonly optionals: ReadonlySet<number> }
  | { readonly op: "map"; readonly optionals: readonly boolean[] }
  /** A map that a loop adds to. */
  | { readonly op: "collect" }
  /** Skips the right side of `&&` or `||` if the left one, which stays on the stack, decides. */
  | { readonly op: "decided"; readonly by: boolean; readonly jump: number }
  | { readonly op: "combine"; readonly by: boolean }
  /** Takes the condition of `?:`; an error stays and is the result. */
  | { readonly op: "branch"; readonly jump: number; readonly end: number }
  | { readonly op: "jump"; readonly jump: number }
  /** Skips what an optional value with a value does not need. */
  | { readonly op: "present"; readonly wraps: boolean; readonly jump: number }
  /** Takes the range of a loop; something else is an error, and the loop is over. */
  | { readonly op: "iterate"; readonly loop: Loop; readonly end: number }
  | { readonly op: "next"; readonly loop: Loop; readonly end: number }
  /** Takes the condition of a loop, and leaves it unless it holds. */
  | { readonly op: "while"; readonly end: number }
  /** Takes a value and adds it to the list that a loop collects. */
  | { readonly op: "append"; readonly slot: number };

/** Where a loop keeps its state. */
export interface Loop {
  readonly state: number;
  readonly variable: number;
  readonly second: number | undefined;
}

/** Steps, and how many slots they use. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly slots: number;
}
