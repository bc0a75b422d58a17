import type { FieldErrors } from "../../../../api/field-checks.ts";
import { invalid } from "../../../../api/field-error.ts";
import type { ValidatingAdmissionPolicySpec } from "../../../../api/generated/admissionregistration-v1.ts";
import { compilePolicy } from "../../admission/policies/compile-policy.ts";
import type { CompiledPolicyExpression } from "../../admission/policies/compile-policy-expression.ts";

/** Returns the expressions of a policy that do not compile, or have a type that does not fit; pauses after each. */
export function* validatePolicyExpressions(
  spec: ValidatingAdmissionPolicySpec,
): Generator<undefined, FieldErrors> {
  const { variables, conditions, validations, annotations } = yield* compilePolicy(spec);
  return [
    ...conditions.flatMap(({ declared, compiled }, index) =>
      problemOf(compiled, `spec.matchConditions[${index}].expression`, declared.expression),
    ),
    ...[...variables.values()].flatMap(({ declared, compiled, position }) =>
      problemOf(compiled, `spec.variables[${position}].expression`, declared.expression),
    ),
    ...validations.flatMap(({ declared, compiled, message }, index) => [
      ...problemOf(compiled, `spec.validations[${index}].expression`, declared.expression),
      ...problemOf(message, `spec.validations[${index}].messageExpression`, declared.messageExpression ?? ""),
    ]),
    ...annotations.flatMap(({ declared, compiled }, index) =>
      problemOf(compiled, `spec.auditAnnotations[${index}].valueExpression`, declared.valueExpression),
    ),
  ];
}

function problemOf(compiled: CompiledPolicyExpression | undefined, path: string, text: string): FieldErrors {
  return compiled === undefined || compiled.ok ? [] : [invalid(path, text, compiled.why)];
}
