import type { Metrics } from "../../../machinery/metrics/metrics.ts";
import type { AdmissionOperation } from "./admission-request.ts";
import type { WebhookType } from "./webhook.ts";

/** The result of calling a webhook. */
export type AskResult = "allowed" | "denied" | "calling-error" | "internal-error";

/** One call of a webhook. */
export interface ObservedCall {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: AdmissionOperation;
  readonly result: AskResult;
  /** The code of the response if the webhook rejects the request. */
  readonly code: number;
  readonly failsOpen: boolean;
  readonly tookMs: number;
}

/** The metrics of admission webhooks, under the names and labels of kube-apiserver. */
export interface WebhookMetrics {
  onCall(call: ObservedCall): void;
  /** Observes that all webhooks of a type have reviewed one request. */
  onStep(step: Pick<ObservedCall, "type" | "operation" | "tookMs"> & { readonly rejected: boolean }): void;
  /** Observes that match conditions excluded a webhook, or could not be evaluated. */
  onConditions(
    subject: Pick<ObservedCall, "name" | "type" | "operation">,
    result: "excluded" | "error",
  ): void;
}

const stepBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const callBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** Upstream's names for the two types of webhooks. */
const types: Readonly<Record<WebhookType, string>> = { mutating: "admit", validating: "validating" };
const errorTypes: Readonly<Record<AskResult, string>> = {
  allowed: "no_error",
  denied: "no_error",
  "calling-error": "calling_webhook_error",
  "internal-error": "apiserver_internal_error",
};

/** Registers the metrics. */
export function webhookMetrics(metrics: Metrics): WebhookMetrics {
  const prefix = "apiserver_admission";
  const steps = metrics.histogram({
    name: `${prefix}_step_admission_duration_seconds`,
    help: "Duration of asking all webhooks of a type about a request, for requests that a webhook matches.",
    labels: ["type", "operation", "rejected"],
    buckets: stepBuckets,
  });
  const calls = metrics.histogram({
    name: `${prefix}_webhook_admission_duration_seconds`,
    help: "Duration of calls to admission webhooks.",
    labels: ["name", "type", "operation", "rejected"],
    buckets: callBuckets,
  });
  const requests = metrics.counter({
    name: `${prefix}_webhook_request_total`,
    help: "Calls to admission webhooks, by the code of the answer and whether the request was rejected.",
    labels: ["name", "type", "operation", "code", "rejected"],
  });
  const rejections = metrics.counter({
    name: `${prefix}_webhook_rejection_count`,
    help: "Requests that a webhook rejected, or that failed with it.",
    labels: ["name", "type", "operation", "error_type", "rejection_code"],
  });
  const failOpens = metrics.counter({
    name: `${prefix}_webhook_fail_open_count`,
    help: "Calls to admission webhooks that failed and were ignored.",
    labels: ["name", "type"],
  });
  const exclusions = metrics.counter({
    name: `${prefix}_match_condition_exclusions_total`,
    help: "Requests that match conditions kept from a webhook.",
    labels: ["name", "kind", "type", "operation"],
  });
  const conditionErrors = metrics.counter({
    name: `${prefix}_match_condition_evaluation_errors_total`,
    help: "Match conditions that could not be evaluated.",
    labels: ["name", "kind", "type", "operation"],
  });
  return {
    onCall({ name, type, operation, result, code, failsOpen, tookMs }) {
      const subject = { name, type: types[type], operation };
      const isIgnored = result === "calling-error" && failsOpen;
      const isRejected = result !== "allowed" && !isIgnored;
      const rejected = String(isRejected);
      calls.observe({ ...subject, rejected }, tookMs / 1000);
      requests.increase({ ...subject, code: String(code), rejected });
      if (isIgnored) failOpens.increase({ name, type: types[type] });
      if (isRejected)
        rejections.increase({ ...subject, error_type: errorTypes[result], rejection_code: String(code) });
    },
    onStep: ({ type, operation, rejected, tookMs }) =>
      steps.observe({ type: types[type], operation, rejected: String(rejected) }, tookMs / 1000),
    onConditions({ name, type, operation }, result) {
      const counter = result === "error" ? conditionErrors : exclusions;
      counter.increase({ name, kind: "webhook", type: types[type], operation });
    },
  };
}
