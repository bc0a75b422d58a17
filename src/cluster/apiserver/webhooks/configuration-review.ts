import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { ValidatingWebhookConfiguration } from "../../../api/generated/admissionregistration-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { ServedResource } from "../served-resource.ts";
import { invalidObject } from "../status-errors.ts";
import { compileCondition } from "./match-conditions/compile-condition.ts";
import type { ReviewedObjects } from "./admission-request.ts";
import type { MutationReview, Review } from "./webhook-review.ts";

/** Returns the review of a webhook configuration: no webhook reviews it, but its match conditions are compiled. */
export function configurationReview(resource: ServedResource): Review {
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
