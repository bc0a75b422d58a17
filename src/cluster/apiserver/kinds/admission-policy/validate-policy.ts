import { utf8Length } from "../../../../api/bytes.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredOneOf,
  requiredText,
  supported,
} from "../../../../api/field-checks.ts";
import { duplicate, invalid, required, tooLong, tooMany } from "../../../../api/field-error.ts";
import type {
  AuditAnnotation,
  ParamKind,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import { dns1035LabelProblems } from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateConditions } from "../webhook-configuration/validate-webhook.ts";
import { validateMatchResources } from "./match-resources.ts";

type Spec = Sent<ValidatingAdmissionPolicySpec>;

/** Validates the form of a policy; its expressions are compiled when that is right. */
export function validatePolicySpec(spec: Spec, policyName: string): FieldErrors {
  const { paramKind, failurePolicy, matchConditions, variables = [], validations = [] } = spec;
  const { auditAnnotations = [] } = spec;
  const names = new Set<string | undefined>();
  return [
    ...requiredOneOf(failurePolicy, "spec.failurePolicy", ["Fail", "Ignore"]),
    ...(paramKind === undefined ? none : validateParamKind(paramKind, "spec.paramKind")),
    ...validateConstraints(spec),
    ...validateConditions(matchConditions ?? [], "spec.matchConditions"),
    ...each(variables, "spec.variables", (variable, at) => [
      ...validateVariable(variable, at),
      ...validateUnique(names, variable.name, `${at}.name`),
    ]),
    ...validateCounts(validations.length, auditAnnotations.length),
    ...each(validations, "spec.validations", validateValidation),
    ...validateAnnotations(auditAnnotations, policyName),
  ];
}

function validateUnique(seen: Set<string | undefined>, name: string | undefined, path: string): FieldErrors {
  if (seen.has(name)) return [duplicate(path, name)];
  seen.add(name);
  return none;
}

function validateConstraints({ matchConstraints }: Spec): FieldErrors {
  const path = "spec.matchConstraints";
  if (matchConstraints === undefined) return [required(path)];
  return [
    ...validateMatchResources(matchConstraints, path),
    ...((matchConstraints.resourceRules ?? []).length === 0 ? [required(`${path}.resourceRules`)] : none),
  ];
}

function validateParamKind({ apiVersion, kind }: Sent<ParamKind>, path: string): FieldErrors {
  return [
    ...requiredText(apiVersion, `${path}.apiVersion`),
    ...requiredText(kind?.toLowerCase(), `${path}.kind`, dns1035LabelProblems),
  ];
}

function validateVariable({ name, expression }: Sent<Variable>, path: string): FieldErrors {
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name ?? "");
  return [
    ...(name === undefined || name === "" ? [required(`${path}.name`, "name is not specified")] : none),
    ...(name === undefined || name === "" || isName
      ? none
      : [invalid(`${path}.name`, name, "must be a valid CEL identifier")]),
    ...specified(expression, `${path}.expression`, "expression is not specified"),
  ];
}

function validateCounts(validations: number, annotations: number): FieldErrors {
  if (annotations > mostAnnotations) return [tooMany("spec.auditAnnotations", annotations, mostAnnotations)];
  if (validations > 0 || annotations > 0) return none;
  const detail = "validations or auditAnnotations must contain at least one item";
  return [required("spec.validations", detail), required("spec.auditAnnotations", detail)];
}

const mostAnnotations = 20;
const longestValueExpression = 5 * 1024;

function validateValidation(validation: Sent<Validation>, path: string): FieldErrors {
  const { expression = "", message, messageExpression, reason } = validation;
  const isLong = expression.trim().includes("\n") && (message ?? "").trim() === "";
  return [
    ...specified(expression, `${path}.expression`, "expression is not specified"),
    ...(messageExpression !== undefined && messageExpression !== "" && messageExpression.trim() === ""
      ? [invalid(`${path}.messageExpression`, messageExpression, "must be non-empty if specified")]
      : none),
    ...validateMessage(message ?? "", `${path}.message`),
    ...(isLong
      ? [required(`${path}.message`, "message must be specified if expression contains line breaks")]
      : none),
    ...supported(reason, `${path}.reason`, ["Forbidden", "Invalid", "RequestEntityTooLarge"]),
  ];
}

function validateMessage(message: string, path: string): FieldErrors {
  const text = message.trim();
  if (message !== "" && text === "")
    return [invalid(path, message, "message must be non-empty if specified")];
  return text.includes("\n") ? [invalid(path, message, "message must not contain line breaks")] : none;
}

function validateAnnotations(annotations: readonly Sent<AuditAnnotation>[], policyName: string): FieldErrors {
  const path = "spec.auditAnnotations";
  if (annotations.length > mostAnnotations) return [tooMany(path, annotations.length, mostAnnotations)];
  const keys = new Set<string | undefined>();
  return each(annotations, path, ({ key = "", valueExpression = "" }, at) => [
    ...(key === ""
      ? [required(`${at}.key`)]
      : qualifiedNameProblems(`${policyName}/${key}`).map((problem) => invalid(`${at}.key`, key, problem))),
    ...validateUnique(keys, key, `${at}.key`),
    ...specified(valueExpression, `${at}.valueExpression`, "valueExpression is not specified"),
    ...(utf8Length(valueExpression) > longestValueExpression
      ? [tooLong(`${at}.valueExpression`, longestValueExpression)]
      : none),
  ]);
}

function specified(text: string | undefined, path: string, detail: string): FieldErrors {
  return (text ?? "").trim() === "" ? [required(path, detail)] : none;
}
