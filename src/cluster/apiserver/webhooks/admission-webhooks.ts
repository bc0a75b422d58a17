import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { ValidatingWebhookConfiguration } from "../../../api/generated/admissionregistration-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import type { Logger } from "../../../machinery/log/logger.ts";
import type { Metrics } from "../../../machinery/metrics/metrics.ts";
import type { Random } from "../../../machinery/random/random.ts";
import type { Store } from "../../store/store.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { Authorizing } from "../admission/expression-variables.ts";
import { createAdmissionPolicies } from "../admission/policies/admission-policies.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResources } from "../kind-registry.ts";
import type { ServedResource } from "../served-resource.ts";
import { invalidObject } from "../status-errors.ts";
import {
  admissionRequestOf,
  type AdmissionOperation,
  type RequestDetails,
  type ReviewedObjects,
} from "./admission-request.ts";
import { compileCondition } from "./match-conditions/compile-condition.ts";
import { configurations, indexWebhooks } from "./webhook-index.ts";
import { webhookMetrics } from "./webhook-metrics.ts";
import { type MutationReview, type Review, WebhookReview } from "./webhook-review.ts";
import type { WebhookTransport } from "./webhook-transport.ts";

/** The webhooks of an API server. */
export interface AdmissionWebhooks {
  /**
   * Begins the review of a request. Returns `undefined`, in constant time, when the rules of no webhook or admission policy
   * match: then the write need not wait.
   */
  reviewOf(request: ApiRequest, operation: AdmissionOperation, details: RequestDetails): Review | undefined;
  close(): Promise<void>;
}

/** The dependencies of admission webhooks. */
export interface AdmissionWebhooksOptions {
  readonly store: Store;
  readonly resources: ServedResources;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly transport: WebhookTransport;
  /** Answers expressions that ask what a user may do. */
  readonly authorizer: Authorizing;
}

const noWebhooks = { mutating: [], validating: [] };

/** Creates the webhooks of a store's configurations, and its admission policies, which are evaluated before them. */
export function createAdmissionWebhooks(options: AdmissionWebhooksOptions): AdmissionWebhooks {
  const { store, resources, transport } = options;
  const index = indexWebhooks(store, resources);
  const admissionPolicies = createAdmissionPolicies(options);
  const namespaces = store.collection("namespaces");
  const namespaceLabels = (name: string): Labels => {
    const record = namespaces.get(name);
    return record === undefined ? undefined : metadataOf(record.object).labels;
  };
  const dependencies = { ...options, metrics: webhookMetrics(options.metrics), namespaceLabels };
  return {
    reviewOf(request, operation, details) {
      const { resource, subresource = "" } = request;
      if (configurations.has(resource.collection)) return configurationReview(resource);
      const indexed = { operation, resource, subresource };
      const matching = index.find(indexed);
      const policies = admissionPolicies.checkOf(indexed);
      if (matching === undefined && policies === undefined) return undefined;
      return new WebhookReview(dependencies, {
        request: admissionRequestOf(request, operation, details),
        matching: matching ?? noWebhooks,
        policies,
      });
    },
    async close() {
      index.close();
      admissionPolicies.close();
      await transport.close?.();
    },
  };
}

/** Returns the review of a webhook configuration: no webhook reviews it, but its match conditions are compiled. */
function configurationReview(resource: ServedResource): Review {
  return {
    warnings: [],
    mutate: async ({ object }: MutationReview & { readonly object: JsonObject }) => object,
    validate: async ({ object = {} }) => checkConditions(resource, object),
    check: async (_objects: ReviewedObjects) => undefined,
  };
}

/** Throws 422 for conditions that do not compile, or use what is not supported. */
function checkConditions(resource: ServedResource, object: JsonObject): void {
  // The decoder has checked it against the schema.
  const { webhooks = [] } = object as unknown as ValidatingWebhookConfiguration;
  const errors: FieldError[] = [];
  for (const [index, { matchConditions = [] }] of webhooks.entries()) {
    for (const [position, { expression }] of matchConditions.entries()) {
      const compiled = compileCondition(expression);
      const path = `webhooks[${index}].matchConditions[${position}].expression`;
      if (!compiled.ok) errors.push(invalid(path, expression, compiled.why));
    }
  }
  if (errors.length > 0) throw invalidObject(resource, metadataOf(object).name ?? "", errors);
}
