import { deepEqual } from "../../../../api/deep-equal.ts";
import { type FieldError, formatFieldError, invalid } from "../../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { type CelValue, none, Optional } from "../../cel/values/cel-value.ts";
import { celValueOf, resourceValueOf } from "../../cel/values/schema-value.ts";
import { correlatedItems } from "../structural/correlate-items.ts";
import { evaluateRule, type RuleOutcome, type RuleVariables } from "./evaluate-rule.ts";
import type { CompiledRule, RuleNode } from "./rule-tree.ts";
import type { CostBudget, RuleEvaluation, RuleFindings } from "./schema-rules.ts";

const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** What rules are evaluated on, which may be a part of an object. */
interface ValueEvaluation extends Pick<RuleEvaluation, "budget"> {
  readonly object: Json;
  readonly oldObject?: Json | undefined;
  /** Where the value stands, if it is a default: failures on those are never tolerated. */
  readonly path?: string;
}

/** Evaluates the rules of a tree on a value; pauses after every stretch of work. */
export function* evaluateRules(
  root: RuleNode,
  { object, oldObject, budget, path }: ValueEvaluation,
): Generator<undefined, RuleFindings> {
  const walk: Walk = { errors: [], warnings: [], budget, ratchets: path === undefined };
  yield* visit(
    {
      node: root,
      value: object,
      old: oldObject,
      path: path ?? "",
      unchanged: unchangedRoot(object, oldObject),
    },
    walk,
  );
  return { errors: walk.errors, warnings: walk.warnings };
}

interface Walk {
  readonly errors: FieldError[];
  readonly warnings: string[];
  readonly budget: CostBudget;
  /** Whether failures on values that were so before are warnings. */
  readonly ratchets: boolean;
}

/** A value and its place; `old` is the value that it replaces, if that is known. */
interface Visited {
  readonly node: RuleNode;
  readonly value: Json;
  readonly old: Json | undefined;
  readonly path: string;
  /** Whether the update leaves the value, or the nearest one around it whose old value is known, as it was. */
  readonly unchanged: () => boolean;
}

const changed = () => false;

function unchangedRoot(value: Json, old: Json | undefined): () => boolean {
  return old === undefined ? changed : lazily(() => deepEqual(value, old));
}

function lazily(compute: () => boolean): () => boolean {
  let known: boolean | undefined;
  return () => (known ??= compute());
}

/** Evaluates the rules of a value and of what is in it; returns false when no more rules may be evaluated. */
function* visit(visited: Visited, walk: Walk): Generator<undefined, boolean> {
  const { node, value, path } = visited;
  if (value === null) return true;
  for (const problem of node.problems)
    walk.errors.push(invalid(fieldAt(path), typeOf(node), `rule compile error: ${problem}`));
  if (node.rules.length > 0 && !(yield* applyRules(visited, walk))) return false;
  if (Array.isArray(value)) return yield* visitItems(value as readonly Json[], visited, walk);
  return isJsonObject(value) ? yield* visitFields(value, visited, walk) : true;
}

function* visitItems(items: readonly Json[], visited: Visited, walk: Walk): Generator<undefined, boolean> {
  const { node, old, path } = visited;
  if (node.items === undefined) return true;
  const oldItem = correlatedItems(items, old, node.schema);
  for (const [index, value] of items.entries()) {
    const item = below(visited, { value, old: oldItem(value) });
    if (!(yield* visit({ ...item, node: node.items, path: `${path}[${index}]` }, walk))) return false;
  }
  return true;
}

function* visitFields(object: JsonObject, visited: Visited, walk: Walk): Generator<undefined, boolean> {
  for (const name of Object.keys(object)) {
    const value = object[name];
    const field = value === undefined ? undefined : fieldOf(visited, name, value);
    if (field !== undefined && !(yield* visit(field, walk))) return false;
  }
  return true;
}

/** Returns a field of an object, if there are rules for it. */
function fieldOf(visited: Visited, name: string, value: Json): Visited | undefined {
  const { node: parent, old, path } = visited;
  const property = parent.properties.get(name);
  const node = property ?? parent.values;
  if (node === undefined) return undefined;
  const member = below(visited, { value, old: memberOf(old, name) });
  const step = path === "" ? name : `.${name}`;
  // Changes of these two are not visible, because both objects have been converted to one version.
  const isTypeMeta = path === "" && (name === "apiVersion" || name === "kind");
  const unchanged = isTypeMeta ? changed : member.unchanged;
  return { ...member, unchanged, node, path: `${path}${property === undefined ? `[${name}]` : step}` };
}

function memberOf(object: Json | undefined, name: string): Json | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

type Member = Pick<Visited, "value" | "old">;

function below({ unchanged }: Visited, { value, old }: Member): Member & Pick<Visited, "unchanged"> {
  return { value, old, unchanged: old === undefined ? unchanged : lazily(() => deepEqual(value, old)) };
}

function* applyRules(visited: Visited, walk: Walk): Generator<undefined, boolean> {
  const { node, value, old, path } = visited;
  const variables = variablesOf(node, value, old);
  for (const compiled of node.rules) {
    if (compiled.usesOldSelf && old === undefined && compiled.rule.optionalOldSelf !== true) continue;
    if (walk.budget.left <= 0) return stop(walk, [invalid(fieldAt(path), typeOf(node), outOfBudget)]);
    const place = { path, type: typeOf(node), shown: shownValue(node, value) };
    const outcome = yield* evaluateRule(compiled, { variables, place, budget: walk.budget });
    report(outcome, { compiled, visited }, walk);
    if (outcome.isLast) return false;
  }
  return true;
}

function stop(walk: Walk, errors: readonly FieldError[]): boolean {
  walk.errors.push(...errors);
  walk.budget.left = -1;
  return false;
}

interface Reported {
  readonly compiled: CompiledRule;
  readonly visited: Visited;
}

/** A rule that fails on a value that the update leaves as it was is a warning. */
function report({ error, isFailure }: RuleOutcome, { compiled, visited }: Reported, walk: Walk): void {
  if (error === undefined) return;
  const isRatcheted = walk.ratchets && isFailure && !compiled.usesOldSelf && visited.unchanged();
  if (isRatcheted) walk.warnings.push(formatFieldError(error));
  else walk.errors.push(error);
}

function variablesOf(node: RuleNode, value: Json, old: Json | undefined): RuleVariables {
  const valueOf = (json: Json): CelValue =>
    node.isResource ? resourceValueOf(json, node.schema) : celValueOf(json, node.schema);
  const self = valueOf(value);
  const oldSelf = old === undefined ? undefined : valueOf(old);
  return { self, oldSelf, optionalOldSelf: oldSelf === undefined ? none : new Optional(oldSelf) };
}

export function fieldAt(path: string): string {
  return path === "" ? "<nil>" : path;
}

function typeOf({ schema }: RuleNode): string {
  return schema.type ?? "";
}

/** Values that are objects or lists are not shown. */
function shownValue({ schema, isResource }: RuleNode, value: Json): Json | undefined {
  return isResource || schema.type === "object" || schema.type === "array" ? undefined : value;
}
