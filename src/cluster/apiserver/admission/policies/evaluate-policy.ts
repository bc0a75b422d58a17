import { utf8Length } from "../../../../api/bytes.ts";
import type {
  MatchCondition,
  ValidatingAdmissionPolicySpec,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { CelError, type CelValue } from "../../cel/values/cel-value.ts";
import { decideConditions } from "../../webhooks/match-conditions/evaluate-conditions.ts";
import type { CompiledPolicy, CompiledValidation } from "./compile-policy.ts";
import { outOfBudget, PolicyEvaluation, type PolicyInput } from "./policy-evaluation.ts";

/** What a policy found wrong with a request. */
export interface PolicyFinding {
  readonly message: string;
  /** The reason that the policy declares; absent: Invalid. */
  readonly reason?: string | undefined;
  /** Whether the request is denied whatever the binding's actions are. */
  readonly isForced?: boolean;
}

const longestMessage = 5 * 1024;

/** Evaluates a policy; errors count only if its failure policy is not Ignore. Pauses after every stretch of work. */
export function* evaluatePolicy(
  spec: ValidatingAdmissionPolicySpec,
  policy: CompiledPolicy,
  input: PolicyInput,
): Generator<undefined, readonly PolicyFinding[]> {
  const failsOpen = spec.failurePolicy === "Ignore";
  const met = yield* conditionsOf(policy, input);
  if (met.kind === "false") return [];
  if (met.kind === "error") return failsOpen ? [] : [{ message: met.why }];
  const evaluation = new PolicyEvaluation(policy, input);
  // A message cannot ask what a user may do, nor can a variable that it reads.
  const messages = new PolicyEvaluation(policy, { ...input, authorization: new Map() });
  const found: Found[] = [];
  for (const each of policy.validations) found.push(...(yield* validated(each, evaluation, messages)));
  for (const each of policy.annotations) found.push(...(yield* annotated(each, evaluation)));
  if (evaluation.isOutOfBudget) return failsOpen ? [] : [{ message: outOfBudget }];
  return found.filter(({ isError }) => !isError || !failsOpen);
}

/** A finding; one about an error counts by the failure policy. */
type Found = PolicyFinding & { readonly isError: boolean };

function* validated(
  compiled: CompiledValidation,
  evaluation: PolicyEvaluation,
  messages: PolicyEvaluation,
): Generator<undefined, readonly Found[]> {
  const value = yield* evaluation.evaluate(compiled.compiled);
  if (value === true) return [];
  if (value instanceof CelError)
    return [{ message: errorText(compiled.declared.expression, value), isError: true }];
  return [{ ...(yield* failureOf(compiled, messages)), isError: false }];
}

function* annotated(
  { declared, compiled }: CompiledPolicy["annotations"][number],
  evaluation: PolicyEvaluation,
): Generator<undefined, readonly Found[]> {
  const problem = annotationProblem(declared.valueExpression, yield* evaluation.evaluate(compiled));
  return problem === undefined ? [] : [{ message: problem, isForced: true, isError: true }];
}

/** Match conditions have their own budget. */
function conditionsOf(policy: CompiledPolicy, input: PolicyInput) {
  const evaluation = new PolicyEvaluation(policy, input);
  const compiledOf = new Map(policy.conditions.map(({ declared, compiled }) => [declared, compiled]));
  return decideConditions([...compiledOf.keys()], (condition: MatchCondition) => {
    const compiled = compiledOf.get(condition) ?? { ok: false, why: "no such condition" };
    return evaluation.measured(compiled);
  });
}

function errorText(expression: string, { message }: CelError): string {
  return `expression '${expression}' resulted in error: ${message}`;
}

function* failureOf(
  { declared: validation, message }: CompiledValidation,
  evaluation: PolicyEvaluation,
): Generator<undefined, PolicyFinding> {
  const { reason } = validation;
  const made = message === undefined ? undefined : lineOf(yield* evaluation.evaluate(message));
  const written = validation.message?.trim() ?? "";
  const plain = written === "" ? `failed expression: ${validation.expression.trim()}` : written;
  return { message: made ?? plain, reason };
}

/** Returns the value of a message expression, if it is a line of text that is not too long. */
function lineOf(value: CelValue): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const isRight = text !== "" && !text.includes("\n") && utf8Length(text) <= longestMessage;
  return isRight ? text : undefined;
}

/** There is no audit log; an annotation that cannot be made still counts as a failure, as upstream. */
function annotationProblem(expression: string, value: CelValue): string | undefined {
  if (value instanceof CelError) return errorText(expression, value);
  if (value === null || typeof value === "string") return undefined;
  return `valueExpression '${expression}' resulted in unsupported return type: ${typeof value}. Return type must be either string or null.`;
}
