import { isJsonObject, type Json } from "../../../../api/json.ts";
import type { PathFilter, PathStep } from "./json-path.ts";

/** Several `..` in one path could visit a large object over and over. */
const mostVisits = 100_000;

interface Budget {
  visits: number;
}

/** Returns the first value that a path finds; `undefined` if there is none, or none is found in time. */
export function findByPath(value: Json, steps: readonly PathStep[]): Json | undefined {
  return first(value, steps, { visits: mostVisits });
}

function first(value: Json, steps: readonly PathStep[], budget: Budget): Json | undefined {
  for (const found of walk(value, { steps, at: 0 }, budget)) return found;
  return undefined;
}

interface Position {
  readonly steps: readonly PathStep[];
  readonly at: number;
}

function* walk(value: Json, { steps, at }: Position, budget: Budget): Generator<Json> {
  budget.visits -= 1;
  if (budget.visits < 0) return;
  const step = steps[at];
  if (step === undefined) {
    yield value;
    return;
  }
  for (const next of taken(value, step, budget)) yield* walk(next, { steps, at: at + 1 }, budget);
}

function taken(value: Json, step: PathStep, budget: Budget): Iterable<Json> {
  switch (step.kind) {
    case "field":
      return fieldOf(value, step.name);
    case "index":
      return itemsOf(value).slice(step.at, step.at === -1 ? undefined : step.at + 1);
    case "slice":
      return itemsOf(value)
        .slice(step.from, step.to)
        .filter((_, index) => index % step.by === 0);
    case "wildcard":
      return membersOf(value);
    case "recursive":
      return everythingIn(value, budget);
    case "filter":
      return itemsOf(value).filter((item) => passes(item, step.filter, budget));
  }
}

function fieldOf(value: Json, name: string): readonly Json[] {
  const field = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return field === undefined ? [] : [field];
}

function itemsOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function membersOf(value: Json): readonly Json[] {
  if (!isJsonObject(value)) return itemsOf(value);
  return Object.values(value).filter((member) => member !== undefined);
}

function* everythingIn(value: Json, budget: Budget): Generator<Json> {
  budget.visits -= 1;
  if (budget.visits < 0) return;
  yield value;
  for (const member of membersOf(value)) yield* everythingIn(member, budget);
}

function passes(item: Json, { left, operator, right }: PathFilter, budget: Budget): boolean {
  const found = first(item, left, budget);
  if (found === undefined) return false;
  if (operator === "exists") return true;
  const other = "path" in right ? first(item, right.path, budget) : right.value;
  return other !== undefined && compare(found, operator, other);
}

function compare(left: Json, operator: PathFilter["operator"], right: Json): boolean {
  if (operator === "!=") return left !== right;
  if (operator === "==") return left === right;
  const areNumbers = typeof left === "number" && typeof right === "number";
  if (!areNumbers && (typeof left !== "string" || typeof right !== "string")) return false;
  const order = Number(left > right) - Number(left < right);
  if (order === 0) return operator.endsWith("=");
  return operator.startsWith(order < 0 ? "<" : ">");
}
