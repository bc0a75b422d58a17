import type { JsonObject } from "../../../api/json.ts";
import type { ApiError } from "../../../machinery/client/api-error.ts";
import { runInSteps } from "../../../machinery/clock/run-in-steps.ts";
import { elapsedMs } from "../../../machinery/clock/clock.ts";
import type { Logger } from "../../../machinery/log/logger.ts";
import type { ServedResource } from "../served-resource.ts";
import { forbiddenRequest, timedOut } from "../status-errors.ts";
import type { Authorizing } from "../admission/expression-variables.ts";
import type { AdmissionAttributes, ReviewedObjects } from "./admission-request.ts";
import { conditionInput, type ReviewedRequest, type WebhookVerdict } from "./admission-review.ts";
import { callWebhook, type TimedRequest, type WebhookCaller } from "./call-webhook.ts";
import { evaluateConditions } from "./match-conditions/evaluate-conditions.ts";
import { type NamespaceLabels, selectsObjects } from "./selects-objects.ts";
import type { WebhookInvocation } from "./webhook.ts";
import { deniedByWebhook, dryRunUnsupported, webhookFailed, webhookPatchFailed } from "./webhook-errors.ts";
import type { AskResult, WebhookMetrics } from "./webhook-metrics.ts";

/** The dependencies of a webhook call besides the request. */
export interface AskDependencies extends WebhookCaller {
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
  readonly namespaceLabels: NamespaceLabels;
  /** Answers match conditions that ask what a user may do. */
  readonly authorizer: Authorizing;
}

/** A request that webhooks review. */
export interface Question extends ReviewedObjects {
  readonly request: AdmissionAttributes;
  /** When the request times out, in the time of `elapsedMs`. */
  readonly deadlineAt: number;
  /** Called with the warnings of a webhook, whatever it decides. */
  readonly warn: (warnings: readonly string[]) => void;
}

/** The verdict of a webhook that allows a request. */
export type Allowed = Extract<WebhookVerdict, { readonly kind: "allowed" }>;

const withoutEffects: ReadonlySet<string> = new Set(["None", "NoneOnDryRun"]);

/**
 * Calls one webhook, if its selectors and conditions match; throws its denial or failure. Returns `undefined` when it
 * was not called, or failed and its failure policy ignores that.
 */
export async function askWebhook(
  dependencies: AskDependencies,
  invocation: WebhookInvocation,
  question: Question,
): Promise<Allowed | undefined> {
  const { webhook } = invocation;
  const { request } = question;
  if (!selectsObjects(webhook, { ...request, ...objectsOf(question) }, dependencies.namespaceLabels))
    return undefined;
  const reviewed = await inVersionOf(invocation, question);
  if (!(await meetsConditions(dependencies, invocation, reviewed))) return undefined;
  if (request.dryRun && !withoutEffects.has(webhook.sideEffects)) throw dryRunUnsupported(webhook.name);
  const leftMs = question.deadlineAt - elapsedMs(dependencies.clock);
  if (leftMs <= 0) throw timedOut("request did not complete within requested timeout");
  const verdict = await measuredCall(dependencies, invocation, { ...reviewed, leftMs });
  if ("warnings" in verdict) question.warn(verdict.warnings);
  if (verdict.kind === "allowed") return verdict;
  if (verdict.kind !== "invalid" || !webhook.failsOpen) throw refusalOf(webhook.name, verdict);
  const { name } = webhook;
  dependencies.log.warn("failed calling webhook, failing open", { webhook: name, why: verdict.why });
  return undefined;
}

async function measuredCall(
  dependencies: AskDependencies,
  invocation: WebhookInvocation,
  request: TimedRequest,
): Promise<WebhookVerdict> {
  const { name, type, failsOpen } = invocation.webhook;
  const startedAt = elapsedMs(dependencies.clock);
  const verdict = await callWebhook(dependencies, invocation, request);
  dependencies.metrics.onCall({
    name,
    type,
    operation: request.operation,
    result: results[verdict.kind],
    code: verdict.kind === "allowed" ? 200 : refusalOf(name, verdict).code,
    failsOpen,
    tookMs: elapsedMs(dependencies.clock) - startedAt,
  });
  return verdict;
}

const results: Readonly<Record<WebhookVerdict["kind"], AskResult>> = {
  allowed: "allowed",
  denied: "denied",
  invalid: "calling-error",
  "bad-patch": "internal-error",
};

function refusalOf(name: string, verdict: Exclude<WebhookVerdict, Allowed>): ApiError {
  switch (verdict.kind) {
    case "denied":
      return deniedByWebhook(name, verdict.status);
    case "bad-patch":
      return webhookPatchFailed(name, verdict.why);
    case "invalid":
      return webhookFailed(name, verdict.why);
  }
}

/**
 * Reports whether the match conditions of a webhook are met; throws 403 when they cannot be evaluated, unless its
 * failure policy ignores that.
 */
async function meetsConditions(
  { clock, metrics, authorizer }: AskDependencies,
  invocation: WebhookInvocation,
  request: ReviewedRequest,
): Promise<boolean> {
  const { webhook } = invocation;
  if (webhook.matchConditions.length === 0) return true;
  const input = conditionInput(request, invocation, authorizer);
  const result = await runInSteps(evaluateConditions(webhook.matchConditions, input), clock);
  if (result.kind === "true") return true;
  const { name, type } = webhook;
  const isError = result.kind === "error";
  metrics.onConditions({ name, type, operation: request.operation }, isError ? "error" : "excluded");
  if (!isError || webhook.failsOpen) return false;
  throw forbiddenRequest(request.resource, request.name, { why: result.why });
}

function objectsOf({ object, oldObject }: ReviewedObjects): ReviewedObjects {
  return { object, oldObject };
}

/** Returns the request with its objects in the version that the rules of a webhook, or of a policy, name. */
export async function inVersionOf(
  { resource }: Pick<WebhookInvocation, "resource">,
  { request, object, oldObject }: Pick<Question, "request" | "object" | "oldObject">,
): Promise<ReviewedRequest> {
  const own = request.resource;
  if (own === resource) return { ...request, object, oldObject };
  return {
    ...request,
    object: object && (await convertVersion(object, own, resource)),
    oldObject: oldObject && (await convertVersion(oldObject, own, resource)),
  };
}

/** Converts an object to another version of its resource. */
export async function convertVersion(
  object: JsonObject,
  from: ServedResource,
  to: ServedResource,
): Promise<JsonObject> {
  if (from === to) return object;
  await from.conversion?.ahead?.([object], "stored");
  const stored = from.conversion?.toStorage(object) ?? object;
  await to.conversion?.ahead?.([stored], "served");
  return to.conversion?.fromStorage(stored) ?? stored;
}
