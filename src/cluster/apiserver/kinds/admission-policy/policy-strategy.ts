import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import type { FieldErrors } from "../../../../api/field-checks.ts";
import { invalid } from "../../../../api/field-error.ts";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
} from "../../../../api/generated/admissionregistration-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { compilePolicy } from "../../admission/policies/compile-policy.ts";
import type { CompiledPolicyExpression } from "../../admission/policies/compile-policy-expression.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { withMatchDefaults } from "./match-resources.ts";
import { validatePolicySpec } from "./validate-policy.ts";

/** The strategy of ValidatingAdmissionPolicies. */
export const validatingAdmissionPolicyStrategy: KindStrategy<Sent<ValidatingAdmissionPolicy>> = {
  defaults: (policy) =>
    mapMembers(policy, {
      spec: (spec) =>
        mapMembers(fillAbsent(spec, { failurePolicy: "Fail" }), { matchConstraints: withMatchDefaults }),
    }),
  validate: ({ spec = {}, metadata = {} }) => validatePolicySpec(spec, metadata.name ?? ""),
  *validateFurther({ next: { spec = {} } }, errors) {
    if (errors.length > 0) return { errors: [], warnings: [] };
    // The form is right, so nothing that is required is absent.
    const problems = yield* validatePolicyExpressions(spec as ValidatingAdmissionPolicySpec);
    return { errors: problems, warnings: [] };
  },
  generation: "spec",
};

/** Returns the expressions of a policy that do not compile, or have a type that does not fit; pauses after each. */
function* validatePolicyExpressions(spec: ValidatingAdmissionPolicySpec): Generator<undefined, FieldErrors> {
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
