import type {
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const policyTable: TableDescription<ValidatingAdmissionPolicy> = {
  columns: [
    nameColumn,
    column("Validations", "How many validations the policy has.", "integer"),
    column("ParamKind", "The kind of its parameters."),
    ageColumn,
  ],
  cells: (policy, now) => [
    policy.metadata.name,
    policy.spec.validations?.length ?? 0,
    paramKindCell(policy.spec.paramKind),
    ageOf(policy, now),
  ],
};

const unset = "<unset>";

function paramKindCell(paramKind: ParamKind | undefined): string {
  return paramKind === undefined ? unset : `${paramKind.apiVersion ?? ""}/${paramKind.kind ?? ""}`;
}

const bindingTable: TableDescription<ValidatingAdmissionPolicyBinding> = {
  columns: [
    nameColumn,
    column("PolicyName", "The policy that is put to use."),
    column("ParamRef", "The parameters."),
    ageColumn,
  ],
  cells: (binding, now) => [
    binding.metadata.name,
    binding.spec.policyName,
    paramRefCell(binding.spec.paramRef),
    ageOf(binding, now),
  ],
};

function paramRefCell(ref: ParamRef | undefined): string {
  if (ref === undefined) return unset;
  const { name = "", namespace = "" } = ref;
  return namespace === "" ? name : `${namespace}/${name}`;
}

export const validatingAdmissionPolicyPresentation: KindPresentation = {
  table: policyTable,
  descriptions: {
    "admissionregistration.v1.ValidatingAdmissionPolicy": {
      about: "Expressions in CEL that decide whether a write is accepted; bindings put them to use.",
      fields: { spec: "The policy.", status: "What is known about the policy." },
    },
    "admissionregistration.v1.ValidatingAdmissionPolicySpec": {
      about: "The policy as it is wanted.",
      fields: {
        paramKind: "The kind of the objects that hold its parameters.",
        matchConstraints: "The requests that the policy is for.",
        validations: "The expressions that have to be true.",
        failurePolicy: "What happens when an expression cannot be evaluated: Fail or Ignore.",
        auditAnnotations: "Annotations for an audit log.",
        matchConditions: "Expressions that all have to be true for the policy to be evaluated.",
        variables: "Expressions that others read as variables.NAME.",
      },
    },
  },
};

export const validatingAdmissionPolicyBindingPresentation: KindPresentation = {
  table: bindingTable,
  descriptions: {
    "admissionregistration.v1.ValidatingAdmissionPolicyBinding": {
      about: "Puts a ValidatingAdmissionPolicy to use, with parameters perhaps.",
      fields: { spec: "What is put to use, and how." },
    },
    "admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec": {
      about: "Which policy is put to use, where, and what follows when it fails.",
      fields: {
        policyName: "The name of the policy.",
        paramRef: "The objects that hold the parameters.",
        matchResources: "Which of the requests of the policy the binding is for.",
        validationActions: "What follows when a validation fails: Deny, Warn, Audit.",
      },
    },
  },
};
