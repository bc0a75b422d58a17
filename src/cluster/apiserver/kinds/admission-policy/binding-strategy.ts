import { mapMembers } from "../../../../api/defaulting.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredOneOf,
  requiredText,
  supported,
} from "../../../../api/field-checks.ts";
import { duplicate, forbidden, invalid, required } from "../../../../api/field-error.ts";
import type {
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { validateSelector } from "../../../../api/labels/validate-selector.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateMatchResources, withMatchDefaults } from "./match-resources.ts";

/** The strategy of ValidatingAdmissionPolicyBindings. */
export const validatingAdmissionPolicyBindingStrategy: KindStrategy<Sent<ValidatingAdmissionPolicyBinding>> =
  {
    defaults: (binding) =>
      mapMembers(binding, { spec: (spec) => mapMembers(spec, { matchResources: withMatchDefaults }) }),
    validate: ({ spec = {} }) => {
      const { policyName, paramRef, matchResources, validationActions } = spec;
      return [
        ...requiredText(policyName, "spec.policyName", dns1123SubdomainProblems),
        ...(paramRef === undefined ? none : validateParamRef(paramRef, "spec.paramRef")),
        ...(matchResources === undefined
          ? none
          : validateMatchResources(matchResources, "spec.matchResources")),
        ...validateActions(validationActions ?? [], "spec.validationActions"),
      ];
    },
    generation: "spec",
  };

function validateParamRef(ref: Sent<ParamRef>, path: string): FieldErrors {
  const { name = "", selector, parameterNotFoundAction } = ref;
  const exclusive = "name and selector are mutually exclusive";
  const both = name !== "" && selector !== undefined;
  return [
    ...(both ? [forbidden(`${path}.name`, exclusive)] : none),
    ...validateSelector(selector, `${path}.selector`),
    ...(both ? [forbidden(`${path}.selector`, exclusive)] : none),
    ...(name === "" && selector === undefined
      ? [required(path, "one of name or selector must be specified")]
      : none),
    ...requiredOneOf(parameterNotFoundAction, `${path}.parameterNotFoundAction`, ["Allow", "Deny"]),
  ];
}

function validateActions(actions: readonly string[], path: string): FieldErrors {
  if (actions.length === 0) return [required(path, "at least one validation action is required")];
  const repeated =
    "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
  return [
    ...each(actions, path, (action, at, index) => [
      ...supported(action, at, ["Audit", "Deny", "Warn"]),
      ...(actions.indexOf(action) < index ? [duplicate(at, action)] : none),
    ]),
    ...(actions.includes("Deny") && actions.includes("Warn") ? [invalid(path, actions, repeated)] : none),
  ];
}
