import type {
  AuditAnnotation,
  MatchCondition,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from "../../../../api/generated/admissionregistration-v1.ts";
import type { CelType } from "../../cel/types/cel-type.ts";
import { dyn } from "../../cel/types/cel-type.ts";
import { type CompiledPolicyExpression, compilePolicyExpression } from "./compile-policy-expression.ts";

/** The expressions of a policy, compiled in the order in which they may read each other. */
export interface CompiledPolicy {
  readonly variables: ReadonlyMap<string, CompiledPolicyExpression>;
  readonly conditions: readonly {
    readonly condition: MatchCondition;
    readonly compiled: CompiledPolicyExpression;
  }[];
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly {
    readonly annotation: AuditAnnotation;
    readonly compiled: CompiledPolicyExpression;
  }[];
}

export interface CompiledValidation {
  readonly validation: Validation;
  readonly compiled: CompiledPolicyExpression;
  readonly message: CompiledPolicyExpression | undefined;
}

/** Compiles all expressions of a policy; those that do not compile say why. */
export function compilePolicy(spec: ValidatingAdmissionPolicySpec): CompiledPolicy {
  const hasParams = spec.paramKind !== undefined;
  const { variables, types } = compileVariables(spec.variables ?? [], hasParams);
  const scope = { hasParams, variables: types };
  return {
    variables,
    conditions: (spec.matchConditions ?? []).map((condition) => ({
      condition,
      compiled: compilePolicyExpression(condition.expression, { hasParams }, ["bool"]),
    })),
    validations: (spec.validations ?? []).map((validation) => ({
      validation,
      compiled: compilePolicyExpression(validation.expression, scope, ["bool"]),
      message: isBlank(validation.messageExpression)
        ? undefined
        : compilePolicyExpression(validation.messageExpression ?? "", scope, ["string"]),
    })),
    annotations: (spec.auditAnnotations ?? []).map((annotation) => ({
      annotation,
      compiled: compilePolicyExpression(annotation.valueExpression, scope, ["string", "null", "null_type"]),
    })),
  };
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

function compileVariables(declared: readonly Variable[], hasParams: boolean) {
  const variables = new Map<string, CompiledPolicyExpression>();
  const types = new Map<string, CelType>();
  for (const { name, expression } of declared) {
    const compiled = compilePolicyExpression(expression, { hasParams, variables: new Map(types) });
    variables.set(name, compiled);
    types.set(name, compiled.ok ? compiled.expression.checked.type : dyn);
  }
  return { variables, types };
}
