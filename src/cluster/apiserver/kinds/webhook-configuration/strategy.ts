import { deepEqual } from "../../../../api/deep-equal.ts";
import { duplicate, type FieldError } from "../../../../api/field-error.ts";
import type {
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
  WebhookClientConfig,
} from "../../../../api/generated/admissionregistration-v1.ts";
import type { ObjectMeta } from "../../../../api/generated/meta-v1.ts";
import { eachItem, fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import { each, type FieldErrors } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateWebhook } from "./validate-webhook.ts";

/** A webhook of either kind; only mutating ones are reinvoked. */
export type ConfiguredWebhook = ValidatingWebhook & Pick<MutatingWebhook, "reinvocationPolicy">;

interface WebhookConfiguration {
  readonly metadata?: ObjectMeta;
  readonly webhooks?: readonly ConfiguredWebhook[];
}

type Configuration = Sent<WebhookConfiguration>;

/** The strategy of ValidatingWebhookConfigurations. */
export const validatingWebhookConfigurationStrategy: KindStrategy<Configuration> = strategyWith({});

/** The strategy of MutatingWebhookConfigurations. */
export const mutatingWebhookConfigurationStrategy: KindStrategy<Configuration> = strategyWith({
  reinvocationPolicy: "Never",
});

function strategyWith(
  ownDefaults: Sent<Pick<ConfiguredWebhook, "reinvocationPolicy">>,
): KindStrategy<Configuration> {
  return {
    defaults: (object) =>
      mapMembers(object, {
        webhooks: eachItem((webhook) => withDefaults(fillAbsent(webhook, ownDefaults))),
      }),
    prepareForUpdate: ({ next, previous }) => withGeneration(next, previous),
    validate: ({ webhooks }) => [
      ...each(webhooks, "webhooks", validateWebhook),
      ...validateUniqueNames(webhooks ?? []),
    ],
    generation: "spec",
  };
}

function withDefaults(webhook: Sent<ConfiguredWebhook>): Sent<ConfiguredWebhook> {
  const filled = fillAbsent(webhook, {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  return mapMembers(filled, {
    rules: eachItem((rule: Sent<RuleWithOperations>) => fillAbsent(rule, { scope: "*" })),
    clientConfig: (config: Sent<WebhookClientConfig>) =>
      mapMembers(config, { service: (service) => fillAbsent(service, { port: 443 }) }),
  });
}

/** Counts changes of the webhooks, since a configuration has no spec. */
function withGeneration(next: Configuration, previous: Configuration): Configuration {
  if (deepEqual(next.webhooks ?? [], previous.webhooks ?? [])) return next;
  const generation = (previous.metadata?.generation ?? 0) + 1;
  return { ...next, metadata: { ...next.metadata, generation } };
}

function validateUniqueNames(webhooks: readonly Sent<ConfiguredWebhook>[]): FieldErrors {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, { name = "" }] of webhooks.entries()) {
    if (seen.has(name)) errors.push(duplicate(`webhooks[${index}].name`, name));
    seen.add(name);
  }
  return errors;
}
