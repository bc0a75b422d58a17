import { isJsonObject, type JsonObject } from "../../../../api/json.ts";
import type { CompiledExpression } from "../../cel/compile-expression.ts";
import { runProgram } from "../../cel/evaluate/run-program.ts";
import { CelError, type CelMap, type CelValue } from "../../cel/values/cel-value.ts";
import { celValueOf } from "../../cel/values/schema-value.ts";
import type { CompiledPolicy, CompiledVariable } from "./compile-policy.ts";
import type { CompiledPolicyExpression } from "./compile-policy-expression.ts";

/** The values that expressions of a policy read; `null` where there is no such object. */
export interface PolicyInput {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
  readonly params: JsonObject | null;
  readonly namespaceObject: JsonObject | null;
  /** The variables that ask what the user may do. */
  readonly authorization: ReadonlyMap<string, CelValue>;
}

/** What one expression may cost, and all of a policy for a binding and a parameter, in units of CEL. */
const callLimit = 1_000_000;
const policyBudget = 10_000_000;

/** The message of an evaluation that ended because the budget was spent. */
export const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** The evaluation of one policy for one request, binding and parameter: each variable is evaluated once. */
export class PolicyEvaluation {
  readonly #policy: CompiledPolicy;
  readonly #values: ReadonlyMap<string, CelValue>;
  readonly #variables = new Map<string, CelValue>();
  #left = policyBudget;

  constructor(policy: CompiledPolicy, input: PolicyInput) {
    this.#policy = policy;
    this.#values = new Map<string, CelValue>([
      ["object", celValueOf(input.object)],
      ["oldObject", celValueOf(input.oldObject)],
      ["request", celValueOf(input.request)],
      ["params", celValueOf(input.params)],
      ["namespaceObject", celValueOf(input.namespaceObject)],
      ["variables", this.#variableMap()],
      ...input.authorization,
    ]);
  }

  /** Whether more was spent than the budget. */
  get isOutOfBudget(): boolean {
    return this.#left < 0;
  }

  /** Evaluates an expression like `evaluate`, and returns its cost. */
  *measured(
    compiled: CompiledPolicyExpression,
  ): Generator<undefined, { readonly value: CelValue; readonly cost: number }> {
    const before = this.#left;
    const value = yield* this.evaluate(compiled);
    return { value, cost: before - this.#left };
  }

  /** Evaluates an expression, and first the variables that it reads; pauses after every stretch of work. */
  *evaluate(compiled: CompiledPolicyExpression): Generator<undefined, CelValue> {
    // Stored policies compile, unless an older version of this program accepted what this one refuses.
    if (!compiled.ok) return new CelError(compiled.why);
    for (const { declared, compiled: each } of this.#neededBy(compiled.variables)) {
      const value = each.ok ? yield* this.#run(each.expression) : new CelError(each.why);
      this.#variables.set(declared.name, value instanceof CelError ? failed(declared.name, value) : value);
    }
    return yield* this.#run(compiled.expression);
  }

  *#run({ program }: CompiledExpression): Generator<undefined, CelValue> {
    if (this.isOutOfBudget) return new CelError(outOfBudget);
    const variable = (name: string) => this.#values.get(name);
    const { value, cost } = yield* runProgram(program, { variable, limit: callLimit });
    this.#left -= cost;
    return value;
  }

  /** Returns the variables that have to be evaluated first, in their order. */
  #neededBy(reads: ReadonlySet<string>): readonly CompiledVariable[] {
    const needed = new Set<CompiledVariable>();
    const pending = [...reads];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const variable = this.#policy.variables.get(name);
      if (variable === undefined || needed.has(variable) || this.#variables.has(name)) continue;
      needed.add(variable);
      if (variable.compiled.ok) pending.push(...variable.compiled.variables);
    }
    return [...needed].toSorted((a, b) => a.position - b.position);
  }

  #variableMap(): CelMap {
    return {
      kind: "map",
      typeName: "kubernetes.variables",
      size: this.#policy.variables.size,
      keys: () => [...this.#policy.variables.keys()],
      get: (name) => (typeof name === "string" ? this.#variables.get(name) : undefined),
      isTyped: true,
    };
  }
}

function failed(name: string, { message }: CelError): CelError {
  return new CelError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${message}`);
}

/** Returns a namespace as policies see it: without managed fields. */
export function namespaceValue(namespace: JsonObject | undefined): JsonObject | null {
  if (namespace === undefined) return null;
  const { metadata } = namespace;
  if (!isJsonObject(metadata)) return namespace;
  const { managedFields: _, ...rest } = metadata;
  return { ...namespace, metadata: rest };
}
