import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { ValidatingWebhookConfiguration } from "../../../api/generated/admissionregistration-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { ServedResource } from "../served-resource.ts";
import { invalidObject } from "../status-errors.ts";
import type { ReviewedObjects } from "./admission-request.ts";
import type { MutationReview, Review } from "./webhook-review.ts";

/**
 * Returns the review of a webhook configuration: no webhook reviews it, but its match conditions are compiled. This is
 * not part of validation, because the CEL library takes time to load and most clusters never need it.
 */
export function configurationReview(resource: ServedResource): Review {
  return {
    warnings: [],
    mutate: async ({ object }: MutationReview & { readonly object: JsonObject }) => object,
    validate: ({ object = {} }) => checkConditions(resource, object),
    check: async (_objects: ReviewedObjects) => undefined,
  };
}

/** Throws 422 for conditions that do not compile, or use what is not supported. */
async function checkConditions(resource: ServedResource, object: JsonObject): Promise<void> {
  // The decoder has checked it against the schema.
  const { webhooks = [] } = object as unknown as ValidatingWebhookConfiguration;
  if (webhooks.every(({ matchConditions = [] }) => matchConditions.length === 0)) return;
  const { compileExpression } = await import("./match-conditions/match-expression.ts");
  const errors: FieldError[] = [];
  for (const [index, { matchConditions = [] }] of webhooks.entries()) {
    for (const [position, { expression }] of matchConditions.entries()) {
      const compiled = compileExpression(expression);
      const path = `webhooks[${index}].matchConditions[${position}].expression`;
      if (!compiled.ok) errors.push(invalid(path, expression, compiled.why));
    }
  }
  if (errors.length > 0) throw invalidObject(resource, metadataOf(object).name ?? "", errors);
}
