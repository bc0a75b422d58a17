import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import type { ValidatingAdmissionPolicy } from "../../../../api/generated/admissionregistration-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
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
  validate: ({ spec = {}, metadata = {} }, _context, stored) =>
    stored !== undefined && stored.spec === spec ? [] : validatePolicySpec(spec, metadata.name ?? ""),
  generation: "spec",
};
