import type {
  AuditAnnotation,
  MatchCondition,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { type CelType, dyn, mapParts } from "../../cel/types/cel-type.ts";
import {
  type CompiledPolicyExpression,
  compilePolicyExpression,
  type PolicyScope,
} from "./compile-policy-expression.ts";

/** The expressions of a policy, compiled in the order in which they may read each other. */
export interface CompiledPolicy {
  readonly variables: ReadonlyMap<string, CompiledVariable>;
  readonly conditions: readonly CompiledPart<MatchCondition>[];
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledPart<AuditAnnotation>[];
}

export interface CompiledPart<T> {
  readonly declared: T;
  readonly compiled: CompiledPolicyExpression;
}

/** A variable; it reads only those whose position is lower. */
export interface CompiledVariable extends CompiledPart<Variable> {
  readonly position: number;
}

export interface CompiledValidation extends CompiledPart<Validation> {
  readonly message: CompiledPolicyExpression | undefined;
}

/** Compiles all expressions of a policy, and pauses after each; those that do not compile say why. */
export function* compilePolicy(spec: ValidatingAdmissionPolicySpec): Generator<undefined, CompiledPolicy> {
  const params = spec.paramKind === undefined ? undefined : dyn;
  const conditions = yield* compileEach(spec.matchConditions, (condition) =>
    compilePolicyExpression(condition.expression, { params }, ["bool"]),
  );
  const { variables, types } = yield* compileVariables(spec.variables ?? [], { params });
  const scope = { params, variables: variables.size === 0 ? undefined : types };
  const validations = yield* compileEach(spec.validations, ({ expression }) =>
    compilePolicyExpression(expression, scope, ["bool"]),
  );
  const withMessages: CompiledValidation[] = [];
  for (const each of validations) {
    withMessages.push({ ...each, message: messageOf(each.declared, scope) });
    yield undefined;
  }
  const annotations = yield* compileEach(spec.auditAnnotations, ({ valueExpression }) =>
    compilePolicyExpression(valueExpression, scope, ["string", "null"]),
  );
  return { variables, conditions, validations: withMessages, annotations };
}

function* compileEach<T>(
  declared: readonly T[] = [],
  compile: (item: T) => CompiledPolicyExpression,
): Generator<undefined, readonly CompiledPart<T>[]> {
  const parts: CompiledPart<T>[] = [];
  for (const each of declared) {
    parts.push({ declared: each, compiled: compile(each) });
    yield undefined;
  }
  return parts;
}

function messageOf(
  { messageExpression = "" }: Validation,
  scope: PolicyScope,
): CompiledPolicyExpression | undefined {
  return messageExpression.trim() === ""
    ? undefined
    : compilePolicyExpression(messageExpression, { ...scope, isMessage: true }, ["string"]);
}

/** Compiles the variables of a policy, and returns their types with them; pauses after each. */
export function* compileVariables(declared: readonly Variable[], scope: PolicyScope) {
  const variables = new Map<string, CompiledVariable>();
  // The scope grows with every variable: an expression reads only the variables before it.
  const types = new Map<string, CelType>();
  for (const [position, variable] of declared.entries()) {
    const { name, expression } = variable;
    const compiled = compilePolicyExpression(expression, { ...scope, variables: types });
    variables.set(name, { declared: variable, compiled, position });
    types.set(name, compiled.ok ? variableType(compiled.expression.checked.type) : dyn);
    yield undefined;
  }
  return { variables, types };
}

/** Types that a variable keeps; what other types say is forgotten, as upstream. */
const keptTypes: ReadonlySet<CelType["kind"]> = new Set<CelType["kind"]>([
  "bool",
  "bytes",
  "double",
  "duration",
  "int",
  "null",
  "string",
  "timestamp",
  "uint",
]);

function variableType(type: CelType): CelType {
  if (type.kind === "list" || type.kind === "map") return mapParts(type, variableType);
  return keptTypes.has(type.kind) ? type : dyn;
}
