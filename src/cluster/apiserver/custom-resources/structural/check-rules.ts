import { type FieldError, invalid, notSupported, required } from "../../../../api/field-error.ts";
import type { SchemaRule, StructuralSchema } from "./structural-schema.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Reports rules of a schema that are incomplete; what their expressions mean is checked apart. */
export function checkRules({ rules }: StructuralSchema, path: string, errors: FieldError[]): void {
  for (const [index, rule] of rules.entries()) {
    const place = `${path}.x-kubernetes-validations[${index}]`;
    const problem = textProblem(rule, place);
    if (problem !== undefined) errors.push(problem);
    if (isBlank(rule.messageExpression))
      errors.push(required(`${place}.messageExpression`, "messageExpression must be non-empty if specified"));
    if (rule.reason !== undefined && !reasons.includes(rule.reason))
      errors.push(notSupported(`${place}.reason`, rule.reason, reasons));
    checkFieldPath(rule, `${place}.fieldPath`, errors);
  }
}

function textProblem({ rule, message }: SchemaRule, place: string): FieldError | undefined {
  if (rule.trim() === "") return required(`${place}.rule`, "rule is not specified");
  if (isBlank(message)) return invalid(`${place}.message`, message, "must be non-empty if specified");
  if (message?.trim().includes("\n") === true)
    return invalid(`${place}.message`, message, "must not contain line breaks");
  if (rule.trim().includes("\n") && message === undefined)
    return required(`${place}.message`, "message must be specified if rule contains line breaks");
  return undefined;
}

function checkFieldPath({ fieldPath }: SchemaRule, field: string, errors: FieldError[]): void {
  if (fieldPath === undefined) return;
  if (isBlank(fieldPath)) errors.push(invalid(field, fieldPath, "must be non-empty if specified"));
  if (fieldPath.includes("\n")) errors.push(invalid(field, fieldPath, "must not contain line breaks"));
}

function isBlank(text: string | undefined): boolean {
  return text !== undefined && text.trim() === "";
}
