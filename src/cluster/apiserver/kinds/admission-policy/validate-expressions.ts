import type { FieldErrors } from "../../../../api/field-checks.ts";
import { invalid } from "../../../../api/field-error.ts";
import type { ValidatingAdmissionPolicySpec } from "../../../../api/generated/admissionregistration-v1.ts";
import { compilePolicy } from "../../admission/policies/compile-policy.ts";
import type { CompiledPolicyExpression } from "../../admission/policies/compile-policy-expression.ts";

/** Returns the expressions of a policy that do not compile, or have a type that does not fit. */
export function validatePolicyExpressions(spec: ValidatingAdmissionPolicySpec): FieldErrors {
  const { variables, conditions, validations, annotations } = compilePolicy(spec);
  return [
    ...conditions.flatMap(({ condition, compiled }, index) =>
      problemOf(compiled, `spec.matchConditions[${index}].expression`, condition.expression),
    ),
    ...(spec.variables ?? []).flatMap(({ name, expression }, index) =>
      problemOf(variables.get(name), `spec.variables[${index}].expression`, expression),
    ),
    ...validations.flatMap(({ validation, compiled, message }, index) => [
      ...problemOf(compiled, `spec.validations[${index}].expression`, validation.expression),
      ...problemOf(
        message,
        `spec.validations[${index}].messageExpression`,
        validation.messageExpression ?? "",
      ),
    ]),
    ...annotations.flatMap(({ annotation, compiled }, index) =>
      problemOf(compiled, `spec.auditAnnotations[${index}].valueExpression`, annotation.valueExpression),
    ),
  ];
}

function problemOf(compiled: CompiledPolicyExpression | undefined, path: string, text: string): FieldErrors {
  return compiled === undefined || compiled.ok ? [] : [invalid(path, text, compiled.why)];
}
