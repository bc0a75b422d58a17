import {
  accumulatorName,
  type CallExpression,
  type Expression,
  type FoldExpression,
  type IdentExpression,
} from "./expression.ts";
import type { Problem } from "./problem.ts";

/** What a macro means; or what is wrong with its arguments; `undefined` if the call is no macro. */
export type Expanded = Expression | { readonly problem: Problem } | undefined;

type Expand = (call: MemberCall) => Expanded;

/** A call with a target. */
type MemberCall = CallExpression & { readonly target: Expression };

/** Expands macros: `has(a.b)`, `a.all(x, …)`, `a.map(x, …)`, and those with two variables or on optional values. */
export function expandMacro(call: CallExpression): Expanded {
  const { target, name, args } = call;
  if (target === undefined) return name === "has" && args.length === 1 ? expandHas(call) : undefined;
  const macro = macros.get(`${name}/${args.length}`);
  return macro?.({ ...call, target });
}

function expandHas({ args: [argument], at }: CallExpression): Expanded {
  if (argument?.kind !== "select" || argument.isTest)
    return { problem: { at: argument?.at ?? at, message: "invalid argument to has() macro" } };
  return { ...argument, at, isTest: true };
}

const macros: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ["all/2", (call) => loop(call, quantifiers.all)],
  ["exists/2", (call) => loop(call, quantifiers.exists)],
  ["exists_one/2", (call) => loop(call, quantifiers.existsOne)],
  ["existsOne/2", (call) => loop(call, quantifiers.existsOne)],
  ["all/3", (call) => loop2(call, quantifiers.all)],
  ["exists/3", (call) => loop2(call, quantifiers.exists)],
  ["existsOne/3", (call) => loop2(call, quantifiers.existsOne)],
  ["exists_one/3", (call) => loop2(call, quantifiers.existsOne)],
  ["map/2", (call) => loop(call, (at, [value]) => collected(at, value))],
  ["map/3", (call) => loop(call, (at, [filter, value]) => collected(at, value, filter))],
  ["filter/2", (call) => loop(call, (at, [filter], variable) => collected(at, ident(at, variable), filter))],
  ["transformList/3", (call) => loop2(call, (at, [value]) => collected(at, value))],
  ["transformList/4", (call) => loop2(call, (at, [filter, value]) => collected(at, value, filter))],
  ["transformMap/3", (call) => loop2(call, (at, [value], key) => inserted(at, key, [value]))],
  ["transformMap/4", (call) => loop2(call, (at, [filter, value], key) => inserted(at, key, [value, filter]))],
  ["transformMapEntry/3", (call) => loop2(call, (at, [entry]) => merged(at, entry))],
  ["transformMapEntry/4", (call) => loop2(call, (at, [filter, entry]) => merged(at, entry, filter))],
  ["sortBy/2", sortBy],
  ["optMap/2", (call) => optional(call, (at, value) => callOf(at, "optional.of", [value]))],
  ["optFlatMap/2", (call) => optional(call, (_at, value) => value)],
]);

type Body = Pick<FoldExpression, "init" | "condition" | "step" | "result">;
/** Makes the body of a loop out of the arguments behind its variables. */
type MakeBody = (at: number, args: readonly (Expression | undefined)[], variable: string) => Body;

const ident = (at: number, name: string): IdentExpression => ({ kind: "ident", at, name });
const literal = (at: number, value: boolean | bigint): Expression => ({ kind: "literal", at, value });
const accumulated = (at: number) => ident(at, accumulatorName);

function callOf(at: number, name: string, args: readonly (Expression | undefined)[]): CallExpression {
  return { kind: "call", at, name, args: args.filter((each) => each !== undefined) };
}

const quantifiers = {
  all: (at, [predicate]) => ({
    init: literal(at, true),
    condition: callOf(at, "@not_strictly_false", [accumulated(at)]),
    step: callOf(at, "_&&_", [accumulated(at), predicate]),
    result: accumulated(at),
  }),
  exists: (at, [predicate]) => ({
    init: literal(at, false),
    condition: callOf(at, "@not_strictly_false", [callOf(at, "!_", [accumulated(at)])]),
    step: callOf(at, "_||_", [accumulated(at), predicate]),
    result: accumulated(at),
  }),
  existsOne: (at, [predicate]) => ({
    init: literal(at, 0n),
    condition: literal(at, true),
    step: callOf(at, "_?_:_", [
      predicate,
      callOf(at, "_+_", [accumulated(at), literal(at, 1n)]),
      accumulated(at),
    ]),
    result: callOf(at, "_==_", [accumulated(at), literal(at, 1n)]),
  }),
} satisfies Record<string, MakeBody>;

function collected(at: number, value: Expression | undefined, filter?: Expression): Body {
  const item: Expression = { kind: "list", at, elements: value ? [value] : [], optionals: new Set() };
  const step = callOf(at, "_+_", [accumulated(at), item]);
  return {
    init: { kind: "list", at, elements: [], optionals: new Set() },
    condition: literal(at, true),
    step: filter === undefined ? step : callOf(at, "_?_:_", [filter, step, accumulated(at)]),
    result: accumulated(at),
  };
}

function inserted(at: number, key: string, [value, filter]: readonly (Expression | undefined)[]): Body {
  return intoMap(at, callOf(at, "cel.@mapInsert", [accumulated(at), ident(at, key), value]), filter);
}

function merged(at: number, entry: Expression | undefined, filter?: Expression): Body {
  return intoMap(at, callOf(at, "cel.@mapInsert", [accumulated(at), entry]), filter);
}

function intoMap(at: number, step: Expression, filter: Expression | undefined): Body {
  return {
    init: { kind: "map", at, entries: [] },
    condition: literal(at, true),
    step: filter === undefined ? step : callOf(at, "_?_:_", [filter, step, accumulated(at)]),
    result: accumulated(at),
  };
}

function loop({ target, args, at }: MemberCall, makeBody: MakeBody): Expanded {
  const [variable, ...others] = args;
  const problem = variableProblem(variable, "argument must be a simple name");
  if (problem !== undefined || variable?.kind !== "ident") return problem;
  const body = makeBody(at, others, variable.name);
  return { kind: "fold", at, range: target, variable: variable.name, accumulator: accumulatorName, ...body };
}

function loop2({ target, args, at }: MemberCall, makeBody: MakeBody): Expanded {
  const [first, second, ...others] = args;
  const problem =
    variableProblem(first, "argument must be a simple name") ??
    variableProblem(second, "argument must be a simple name");
  if (problem !== undefined || first?.kind !== "ident" || second?.kind !== "ident") return problem;
  if (first.name === second.name)
    return { problem: { at: second.at, message: `duplicate variable name: ${first.name}` } };
  const body = makeBody(at, others, first.name);
  return {
    kind: "fold",
    at,
    range: target,
    variable: first.name,
    second: second.name,
    accumulator: accumulatorName,
    ...body,
  };
}

function variableProblem(expression: Expression | undefined, message: string) {
  return expression?.kind === "ident" ? undefined : { problem: { at: expression?.at ?? 0, message } };
}

/** `a.optMap(x, e)` is `a.hasValue() ? optional.of(e with x) : optional.none()`. */
function optional(
  { target, args: [variable, value], at }: MemberCall,
  wrap: (at: number, value: Expression) => Expression,
): Expanded {
  const problem = variableProblem(variable, "variable name must be a simple identifier");
  if (problem !== undefined || variable?.kind !== "ident" || value === undefined) return problem;
  const unwrapped = { kind: "call", at, name: "value", target, args: [] } as const;
  const bound = bindTo({ at, name: variable.name, value: unwrapped, body: value });
  const has = { kind: "call", at, name: "hasValue", target, args: [] } as const;
  return callOf(at, "_?_:_", [has, wrap(at, bound), callOf(at, "optional.none", [])]);
}

/** `l.sortBy(x, key)` sorts by the keys that `l.map(x, key)` has. */
function sortBy(call: MemberCall): Expanded {
  const { at, target } = call;
  if (target.kind === "literal" || target.kind === "map" || target.kind === "struct") {
    const message =
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
    return { problem: { at: target.at, message } };
  }
  const input = "@sortBy_input";
  const list = ident(at, input);
  const keys = loop({ ...call, target: list }, (place, [value]) => collected(place, value));
  if (keys === undefined || "problem" in keys) return keys;
  const sorted: CallExpression = {
    kind: "call",
    at,
    name: "@sortByAssociatedKeys",
    target: list,
    args: [keys],
  };
  return bindTo({ at, name: input, value: target, body: sorted });
}

interface Binding {
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
  readonly body: Expression;
}

/** A loop over nothing, whose accumulator is the variable. */
function bindTo({ at, name, value, body }: Binding): FoldExpression {
  return {
    kind: "fold",
    at,
    range: { kind: "list", at, elements: [], optionals: new Set() },
    variable: "#unused",
    accumulator: name,
    init: value,
    condition: literal(at, false),
    step: ident(at, name),
    result: body,
  };
}
