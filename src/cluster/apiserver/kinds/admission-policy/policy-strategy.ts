import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
} from "../../../../api/generated/admissionregistration-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { withMatchDefaults } from "./match-resources.ts";
import { validatePolicyExpressions } from "./validate-expressions.ts";
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
